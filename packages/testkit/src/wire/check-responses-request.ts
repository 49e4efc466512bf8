import * as z from "zod";
import { WireRefusal } from "./wire-answer.ts";

const texts = z.object({ type: z.literal("input_text"), text: z.string() });
const inputPart = z.discriminatedUnion("type", [
  texts,
  z.object({ type: z.literal("input_image"), image_url: z.string().nullish(), file_id: z.string().nullish() }),
  z.object({
    type: z.literal("input_file"),
    file_data: z.string().nullish(),
    file_url: z.string().nullish(),
    file_id: z.string().nullish(),
  }),
  z.object({ type: z.literal("input_audio"), input_audio: z.unknown() }),
]);
const outputPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output_text"), text: z.string() }),
  z.object({ type: z.literal("refusal"), refusal: z.string() }),
]);
const id = z.string().nullish();

const item = z.union([
  z.object({
    type: z.literal("message").optional(),
    id,
    role: z.enum(["user", "system", "developer"]),
    content: z.union([z.string(), z.array(inputPart).min(1)]),
  }),
  z.object({
    type: z.literal("message").optional(),
    id,
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(outputPart).min(1)]),
  }),
  z.object({
    type: z.literal("function_call"),
    id,
    call_id: z.string().min(1),
    name: z.string().min(1),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal("function_call_output"),
    id,
    call_id: z.string().min(1),
    output: z.union([z.string(), z.array(inputPart)]),
  }),
  z.object({
    type: z.literal("reasoning"),
    id,
    summary: z.array(z.object({ type: z.literal("summary_text"), text: z.string() })),
    encrypted_content: z.string().nullish(),
  }),
  z.object({ type: z.literal("item_reference"), id: z.string().min(1) }),
  ...(["computer_call", "shell_call", "apply_patch_call", "custom_tool_call"] as const).flatMap((type) => [
    z.object({ type: z.literal(type), id, call_id: z.string().min(1) }),
    z.object({ type: z.literal(`${type}_output`), id, call_id: z.string().min(1) }),
  ]),
  z.object({
    type: z.enum([
      "web_search_call",
      "file_search_call",
      "code_interpreter_call",
      "image_generation_call",
      "mcp_list_tools",
      "mcp_call",
      "tool_search_call",
      "tool_search_output",
      "compaction",
    ]),
    id,
  }),
  z.object({ type: z.literal("mcp_approval_request"), id: z.string().min(1) }),
  z.object({ type: z.literal("mcp_approval_response"), id, approval_request_id: z.string().min(1) }),
]);

const body = z.object({
  model: z.string().min(1),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  input: z.union([z.string().min(1), z.array(item).min(1)]),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
});

/** A body of the Responses API, as far as the server looks at it. */
export type ResponsesRequestBody = z.output<typeof body>;
type Item = z.output<typeof item>;

/** What the server knows of what it has answered before. */
export interface KnownItems {
  /** Id of the reasoning that an item was made with; `null` where there was none. By the item's id. */
  readonly reasoningOf: ReadonlyMap<string, string | null>;
}

const PREFIXES: Readonly<Record<string, string>> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  function_call_output: "fc",
};
const CALLS = ["function", "computer", "shell", "apply_patch", "custom_tool"];

/**
 * Checks a body as the Responses API does: calls and outputs in pairs, no reasoning without what it led to and nothing
 * it led to without it, and no id of an item that this server never made. Throws a {@link WireRefusal}.
 */
export function checkResponsesRequest(given: unknown, known: KnownItems): ResponsesRequestBody {
  const parsed = body.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new WireRefusal(issue?.path.join(".") ?? "", `Invalid type or value: ${issue?.message ?? "the body"}.`);
  }
  const { input, previous_response_id: previous } = parsed.data;
  if (typeof input === "string") return parsed.data;
  input.forEach((entry, index) => {
    checkId(entry, `input.${index}.id`, known);
    checkReasoning(input, index, known);
  });
  if (!previous) checkPairs(input);
  return parsed.data;
}

const typeOf = (entry: Item): string => entry.type ?? "message";

function checkId(entry: Item, path: string, known: KnownItems): void {
  const type = typeOf(entry);
  if (typeof entry.id !== "string") return;
  const prefix = PREFIXES[type];
  if (prefix !== undefined && !entry.id.startsWith(prefix)) {
    throw new WireRefusal(path, `Invalid '${path}': '${entry.id}'. Expected an ID that begins with '${prefix}'.`);
  }
  // Its content came along, encrypted: the server need not have kept it.
  if (entry.type === "reasoning" && entry.encrypted_content) return;
  if (!known.reasoningOf.has(entry.id)) {
    throw new WireRefusal(path, `Item with id '${entry.id}' not found.`, 404);
  }
}

function checkReasoning(input: readonly Item[], index: number, { reasoningOf }: KnownItems): void {
  const entry = input[index] as Item;
  const path = `input.${index}`;
  if (typeOf(entry) === "reasoning") {
    const next = input.slice(index + 1).find((other) => typeOf(other) !== "reasoning");
    const type = next === undefined ? "" : typeOf(next);
    const follows = type === "message" ? (next as { role?: string }).role === "assistant" : !type.endsWith("_output");
    if (next !== undefined && follows) return;
    throw new WireRefusal(
      path,
      `Item '${entry.id ?? ""}' of type 'reasoning' was provided without its required following item.`,
    );
  }
  const reasoning = typeof entry.id === "string" ? reasoningOf.get(entry.id) : null;
  if (!reasoning || input.slice(0, index).some((other) => other.id === reasoning)) return;
  throw new WireRefusal(
    path,
    `Item '${entry.id}' of type '${typeOf(entry)}' was provided without its required 'reasoning' item: '${reasoning}'.`,
  );
}

function checkPairs(input: readonly Item[]): void {
  for (const kind of CALLS) {
    const idsOf = (type: string) =>
      input.flatMap((entry, index) =>
        entry.type === type && "call_id" in entry ? [[String(entry.call_id), index] as const] : [],
      );
    const type = kind === "function" ? "function_call" : `${kind}_call`;
    const calls = idsOf(type);
    const outputs = idsOf(`${type}_output`);
    for (const [callId, index] of outputs) {
      if (calls.some(([id, at]) => id === callId && at < index)) continue;
      const path = `input.${index}`;
      throw new WireRefusal(path, `No tool call found for ${kind} call output with call_id ${callId}.`);
    }
    for (const [callId, index] of calls) {
      if (outputs.some(([id]) => id === callId)) continue;
      throw new WireRefusal(`input.${index}`, `No tool output found for ${kind} call ${callId}.`);
    }
    if (new Set(outputs.map(([id]) => id)).size < outputs.length) {
      throw new WireRefusal("input", `More than one output for one ${kind} call.`);
    }
  }
}
