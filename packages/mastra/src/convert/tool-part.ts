import {
  type ApprovalPart,
  type JsonObject,
  messageText,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from "@throughline/core";
import { fileNote } from "./file-part.ts";
import { otherMembers, toJson } from "./json.ts";
import { readNative, writeNative } from "./native-form.ts";
import type { Invocation, ToolRowPart } from "./rows.ts";

/** What stands for a denial where the person gave no reason. */
const DENIED = "The person denied this call.";

/** A tool's part of a row, taken apart: Mastra keeps a call, its approval and its result in one. */
export interface ToolParts {
  call: ToolCallPart;
  requested?: ApprovalPart;
  decided?: ApprovalPart;
  result?: ToolResultPart;
}

/** Members of an invocation that have a place of their own. */
const KNOWN = ["state", "toolCallId", "toolName", "args", "result", "errorText", "isError", "approval"];

/** Takes a tool's part of a row apart. */
export function fromToolPart(part: ToolRowPart): ToolParts {
  const { toolInvocation: invocation, providerExecuted } = part;
  const { state, toolCallId: callId, toolName: tool, approval } = invocation;
  const result = readResult(invocation);
  return {
    call: {
      type: "tool-call",
      callId,
      tool,
      input: toJson(invocation.args, "A tool's input"),
      ...(providerExecuted ? { providerExecuted } : {}),
      ...writeNative({
        ...(state === "call" || result !== undefined ? {} : { as: state }),
        rest: otherMembers(part, "type", "toolInvocation", ...(providerExecuted ? ["providerExecuted"] : [])),
        invocation: otherMembers(invocation, ...KNOWN),
      }),
    },
    ...(approval === undefined && state !== "approval-requested"
      ? {}
      : {
          requested: { type: "approval", callId, state: "requested", ...writeNative({ rest: approvalId(approval) }) },
        }),
    ...(approval?.approved === undefined
      ? {}
      : {
          decided: {
            type: "approval",
            callId,
            state: approval.approved ? "approved" : "denied",
            ...(approval.reason === undefined ? {} : { reason: approval.reason }),
          },
        }),
    ...(result === undefined ? {} : { result: { type: "tool-result", callId, tool, ...result } }),
  };
}

const approvalId = (approval: Invocation["approval"]): JsonObject | undefined =>
  approval === undefined
    ? undefined
    : otherMembers(approval, "approved", ...(approval.approved === undefined ? [] : ["reason"]));

type ReadResult = Omit<ToolResultPart, "type" | "callId" | "tool">;

function readResult(invocation: Invocation): ReadResult | undefined {
  const { state, errorText, isError } = invocation;
  // An invocation of any state may hold one.
  const { result } = invocation as { result?: unknown };
  const kept = result === undefined ? undefined : { result: toJson(result, "A tool's result") };
  switch (state) {
    case "result": {
      const as = result === undefined ? "none" : isError === undefined ? undefined : "flagged";
      const form = { ...(as === undefined ? {} : { as }), rest: otherMembers({ errorText }) };
      const output = kept?.result ?? null;
      return { output, ...(isError === undefined ? {} : { isError }), ...writeNative(form) };
    }
    case "output-error": {
      const rest = { ...kept, ...(isError === undefined ? {} : { isError }) };
      const form = { as: errorText === undefined ? "error-without-text" : "error" };
      return { output: errorText ?? "", isError: true, ...writeNative({ ...form, rest: otherMembers(rest) }) };
    }
    case "output-denied": {
      const output = invocation.approval?.reason ?? DENIED;
      return { output, isError: true, ...writeNative({ as: "denied", rest: otherMembers({ ...kept, errorText }) }) };
    }
    default:
      return undefined;
  }
}

/** A call as a tool's part of a row. With `exact`, what only its provider understands too. */
export function toToolPart(call: ToolCallPart, exact: boolean): ToolRowPart {
  const { as, rest, invocation } = readNative(call);
  const state = as ?? "call";
  return {
    type: "tool-invocation",
    toolInvocation: {
      state,
      toolCallId: call.callId,
      toolName: call.tool,
      args: call.input,
      ...(exact ? invocation : {}),
      // The state and what else there is were read from an invocation.
    } as Invocation,
    ...(call.providerExecuted ? { providerExecuted: true } : {}),
    ...(exact ? rest : {}),
  };
}

/** Puts an approval into its call. */
export function applyApproval(part: ToolRowPart, approval: ApprovalPart): void {
  const { toolInvocation: invocation } = part;
  const known = invocation.approval ?? { id: approval.callId };
  if (approval.state === "requested") {
    // The id, and what else there was.
    const { rest } = readNative(approval);
    if (approval.native !== undefined && rest === undefined) return;
    invocation.approval = { ...known, ...(rest as { id: string } | undefined) };
    return;
  }
  const reason = approval.reason === undefined ? {} : { reason: approval.reason };
  invocation.approval = { ...known, approved: approval.state === "approved", ...reason };
}

/** Puts a result into its call. */
export function applyResult(part: ToolRowPart, result: ToolResultPart): void {
  const { as, rest } = readNative(result);
  const isOurs = result.native !== undefined && as !== undefined;
  const change = isOurs ? ofForm(as, result) : ofOutput(result);
  // The members are those that an invocation of that state has.
  Object.assign(part.toolInvocation, change, rest);
  if (result.outputIs === "parts") {
    // The result says that its output is a list of parts.
    part.providerMetadata = {
      ...part.providerMetadata,
      mastra: { ...part.providerMetadata?.mastra, modelOutput: modelOutput(result.output as Part[]) },
    };
  }
}

function ofForm(as: string, { output, isError }: ToolResultPart): object {
  if (as === "none") return { state: "result", ...(isError === undefined ? {} : { isError }) };
  if (as === "flagged") return { state: "result", result: output, isError };
  if (as === "denied") return { state: "output-denied" };
  if (as === "error-without-text") return { state: "output-error" };
  return { state: "output-error", errorText: output };
}

function ofOutput({ output, outputIs, isError }: ToolResultPart): object {
  if (outputIs === "parts") return { state: "result", result: messageText({ parts: output as Part[] }) };
  if (isError && typeof output === "string") return { state: "output-error", errorText: output };
  return { state: "result", result: output, ...(isError === undefined ? {} : { isError }) };
}

/** Blocks of text and files as Mastra gives them to the model. */
function modelOutput(parts: readonly Part[]): { type: "content"; value: JsonObject[] } {
  const value = parts.map((part): JsonObject => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.type === "file" && part.data !== undefined) {
      return { type: "media", data: part.data, mediaType: part.mediaType };
    }
    return { type: "text", text: part.type === "file" ? (part.url ?? fileNote(part)) : JSON.stringify(part) };
  });
  return { type: "content", value };
}
