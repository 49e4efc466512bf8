import * as z from "zod";
import { WireRefusal } from "./wire-answer.ts";

const call = z.object({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});
const text = z.object({ type: z.literal("text"), text: z.string() });
const userPart = z.discriminatedUnion("type", [
  text,
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string().min(1) }) }),
  z.object({ type: z.literal("input_audio"), input_audio: z.object({ data: z.string(), format: z.string() }) }),
  z.object({
    type: z.literal("file"),
    file: z.object({ file_data: z.string().optional(), file_id: z.string().optional() }),
  }),
]);
const refusal = z.object({ type: z.literal("refusal"), refusal: z.string() });
const texts = z.union([z.string(), z.array(text).min(1)]);

const message = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer"]), content: texts, name: z.string().optional() }),
  z.object({ role: z.literal("user"), content: z.union([z.string(), z.array(userPart).min(1)]) }),
  z.object({
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(z.union([text, refusal])).min(1)]).nullish(),
    refusal: z.string().nullish(),
    audio: z.object({ id: z.string() }).nullish(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.object({ role: z.literal("tool"), content: texts, tool_call_id: z.string().min(1) }),
]);

const body = z.object({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.object({
        type: z.literal("function"),
        function: z.object({
          name: z.string().regex(/^[\w-]{1,64}$/),
          parameters: z.record(z.string(), z.unknown()).optional(),
        }),
      }),
    )
    .optional(),
});

/** A body of the Chat Completions API, as far as the server looks at it. */
export type ChatRequestBody = z.output<typeof body>;

/**
 * Checks a body as the Chat Completions API does: every call is answered directly behind it, every answer has its call,
 * and nobody says nothing. Throws a {@link WireRefusal}.
 */
export function checkChatRequest(given: unknown): ChatRequestBody {
  const parsed = body.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new WireRefusal(issue?.path.join(".") ?? "", `Invalid type or value: ${issue?.message ?? "the body"}.`);
  }
  let open = new Set<string>();
  parsed.data.messages.forEach((entry, index) => {
    const path = `messages.${index}`;
    if (entry.role === "tool") {
      if (open.delete(entry.tool_call_id)) return;
      throw new WireRefusal(
        path,
        `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${entry.tool_call_id}`,
      );
    }
    requireAnswers(open, path);
    open = new Set(entry.role === "assistant" ? entry.tool_calls?.map(({ id }) => id) : []);
    if (entry.role !== "assistant" || entry.tool_calls) return;
    if (!entry.content && !entry.refusal && !entry.audio) {
      throw new WireRefusal(path, "An assistant message must have content or tool_calls.");
    }
  });
  requireAnswers(open, `messages.${parsed.data.messages.length}`);
  return parsed.data;
}

function requireAnswers(open: ReadonlySet<string>, path: string): void {
  if (open.size === 0) return;
  throw new WireRefusal(
    path,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. These had no response: ${[...open].join(", ")}`,
  );
}
