import type { AgentInputItem, protocol } from "@openai/agents";
import type { Json, Part, ToolCallPart, ToolResultPart } from "@throughline/core";
import { readSource, writeSource } from "./file-source.ts";
import { ifAny, otherMembers, readForm, writeForm } from "./item-form.ts";
import { fromOutput, readArguments, toOutput } from "./tool-output.ts";

type CallItem = Extract<
  AgentInputItem,
  { type: "function_call" | "computer_call" | "shell_call" | "apply_patch_call" | "program" | "tool_search_call" }
>;
type ResultItem = Extract<
  AgentInputItem,
  {
    type:
      | "function_call_result"
      | "computer_call_result"
      | "shell_call_output"
      | "apply_patch_call_output"
      | "program_output"
      | "tool_search_output";
  }
>;

/** Names in the neutral form for tools that the host has no name for. */
const TOOLS = {
  computer_call: "computer",
  computer_call_result: "computer",
  shell_call: "shell",
  shell_call_output: "shell",
  apply_patch_call: "apply_patch",
  apply_patch_call_output: "apply_patch",
  program: "program",
  program_output: "program",
  tool_search_call: "tool_search",
  tool_search_output: "tool_search",
} as const;

/** `completed` is what every item is that ended well; only another status is kept. */
function statusForm(item: object): { [key: string]: Json } {
  const { status = null } = item as { status?: string | null };
  return status === "completed" ? {} : { status };
}

const withStatus = ({ status = "completed", ...rest }: { [key: string]: Json } = {}): object =>
  status === null ? rest : { ...rest, status };

/** The id that joins a call with its result. A search that the provider runs itself may have none. */
const callIdOf = (item: CallItem | ResultItem): string => {
  const { callId, call_id: wire, id } = item as { callId?: string | null; call_id?: string | null; id?: string };
  return callId ?? wire ?? id ?? item.type;
};

/** A call in the neutral form. */
export function fromCall(item: CallItem): ToolCallPart {
  const callId = callIdOf(item);
  switch (item.type) {
    case "function_call": {
      const { input, as } = readArguments(item.arguments);
      const rest = { ...otherMembers(item, "type", "callId", "name", "arguments", "status"), ...statusForm(item) };
      return { type: "tool-call", callId, tool: item.name, input, ...writeForm({ as, item: ifAny(rest) }) };
    }
    case "computer_call":
      return hostCall(item, otherMembers(item, "type", "callId", "id", "status", "providerData"), "action", "actions");
    case "shell_call":
      return hostCall(item, otherMembers(item.action), "action");
    case "apply_patch_call":
      return hostCall(item, otherMembers(item.operation), "operation");
    case "program":
      return { ...hostCall(item, item.code, "code"), providerExecuted: true };
    case "tool_search_call": {
      const { arguments: input } = otherMembers(item);
      return { ...hostCall(item, input ?? null, "arguments"), providerExecuted: true };
    }
  }
}

function hostCall(item: Exclude<CallItem, { type: "function_call" }>, input: Json, ...members: string[]): ToolCallPart {
  const ids = item.type === "tool_search_call" ? [] : ["callId"];
  const rest = { ...otherMembers(item, "type", "status", ...ids, ...members), ...statusForm(item) };
  const form = writeForm({ as: item.type, item: rest });
  return { type: "tool-call", callId: callIdOf(item), tool: TOOLS[item.type], input, ...form };
}

/** A result in the neutral form. */
export function fromResult(item: ResultItem): ToolResultPart {
  const callId = callIdOf(item);
  const rest = { ...otherMembers(item, "type", "callId", "name", "status", "output"), ...statusForm(item) };
  if (item.type === "function_call_result") {
    const { part, form } = fromOutput(item.output);
    return { type: "tool-result", callId, tool: item.name, ...part, ...writeForm({ ...form, item: ifAny(rest) }) };
  }
  const base = { type: "tool-result" as const, callId, tool: TOOLS[item.type] };
  switch (item.type) {
    case "computer_call_result": {
      const shot = readSource(item.output.data, "image/png");
      const part: Part = shot?.part ?? { type: "text", text: "" };
      const content = ifAny(otherMembers(item.output, "type", "data"));
      const form = writeForm({ as: `${item.type}/${shot?.form ?? "data-url"}`, item: rest, content });
      return { ...base, output: [part], outputIs: "parts", ...form };
    }
    case "tool_search_output": {
      const { tools = [] } = otherMembers(item);
      // Its ids may be absent, and are then no part of it.
      const own = { ...otherMembers(item, "type", "status", "tools"), ...statusForm(item) };
      return { ...base, output: tools, ...writeForm({ as: item.type, item: own }) };
    }
    default: {
      const { output } = otherMembers(item);
      const error = item.type === "apply_patch_call_output" && item.status === "failed" ? { isError: true } : {};
      return { ...base, output: output ?? null, ...error, ...writeForm({ as: item.type, item: rest }) };
    }
  }
}

/** A stored call as the host's own item again. */
export function toCall(part: ToolCallPart, exact: boolean): AgentInputItem {
  const { as, item } = readForm(part);
  const { callId, input } = part;
  if (exact && as !== undefined && as !== "raw") {
    const own: { [type: string]: object } = {
      computer_call: { callId, ...(input as object) },
      shell_call: { callId, action: input },
      apply_patch_call: { callId, operation: input },
      program: { callId, code: input },
      tool_search_call: { arguments: input },
    };
    // Built of what was read from an item of this type.
    return { type: as, ...own[as], ...withStatus(item) } as AgentInputItem;
  }
  const text = as === "raw" ? String(input) : JSON.stringify(input);
  const name = exact ? part.tool : part.tool.replaceAll(/[^\w-]/g, "_");
  const built: protocol.FunctionCallItem = {
    type: "function_call",
    callId,
    name,
    arguments: text,
    status: "completed",
  };
  if (!exact || item === undefined) return built;
  const { status: _status, ...rest } = built;
  return { ...rest, ...withStatus(item) };
}

/** A stored result as the host's own item again. */
export function toResult(part: ToolResultPart, exact: boolean): AgentInputItem {
  const { as, item, content } = readForm(part);
  const { callId } = part;
  const [type = "", form] = (as ?? "").split("/");
  if (exact && type in TOOLS) {
    const built = { type, callId, ...withStatus(item) } as object;
    if (type === "computer_call_result") {
      // It was read from one screenshot.
      const [shot] = part.output as Part[];
      const data = shot?.type === "file" ? writeSource(shot, form) : "";
      return { ...built, output: { type: "computer_screenshot", data, ...content } } as unknown as AgentInputItem;
    }
    if (type === "tool_search_output") {
      return { type, ...withStatus(item), tools: part.output } as unknown as AgentInputItem;
    }
    const output = part.output === null ? {} : { output: part.output };
    return { ...built, ...output } as unknown as AgentInputItem;
  }
  const name = exact ? part.tool : part.tool.replaceAll(/[^\w-]/g, "_");
  const output = toOutput(part, exact);
  const built: protocol.FunctionCallResultItem = {
    type: "function_call_result",
    callId,
    name,
    output,
    status: "completed",
  };
  if (!exact || item === undefined) return built;
  const { status: _status, ...rest } = built;
  // The status was a status of this item.
  return { ...rest, ...withStatus(item) } as AgentInputItem;
}

/** A call that the provider ran itself, with its result where there is one, in the neutral form. */
export function fromHostedCall(item: protocol.HostedToolCallItem, index: number): Part[] {
  const callId = item.id ?? `${item.name}-${index}`;
  const { input, as } = item.arguments === undefined ? { input: null } : readArguments(item.arguments);
  const rest = { ...otherMembers(item, "type", "name", "arguments", "output", "status"), ...statusForm(item) };
  const form = writeForm({ as: as ?? "hosted", item: rest });
  const tool = item.name;
  return [
    { type: "tool-call", callId, tool, input, providerExecuted: true, ...form },
    // What the provider kept for itself has a result all the same: no call stands alone.
    { type: "tool-result", callId, tool, output: item.output ?? null },
  ];
}

/** The inverse of {@link fromHostedCall}, given the part behind the call. */
export function toHostedCall(call: ToolCallPart, next: Part | undefined): AgentInputItem {
  const { as, item } = readForm(call);
  const text = as === "raw" ? String(call.input) : JSON.stringify(call.input);
  const result = next?.type === "tool-result" && next.callId === call.callId ? next.output : null;
  const output = typeof result === "string" ? { output: result } : {};
  const input = call.input === null ? {} : { arguments: text };
  return { type: "hosted_tool_call", name: call.tool, ...input, ...output, ...withStatus(item) } as AgentInputItem;
}
