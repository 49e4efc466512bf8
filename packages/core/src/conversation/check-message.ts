import { checkId } from "../checks/ids.ts";
import { checkJson } from "../checks/json.ts";
import type { MessageInput, NativeMessage, Part, Role, ToolResultPart } from "../contract/message.ts";
import { ORIGINS } from "../contract/origin.ts";
import { MemoryError } from "../errors/memory-error.ts";

const ROLES: readonly Role[] = ["user", "assistant", "tool", "system"];

/** The error of a malformed message. `path` says where. */
export const invalidMessage = (why: string, path: string): MemoryError =>
  new MemoryError("INVALID_MESSAGE", `${path}: ${why}.`, { details: { path } });

const text = (value: unknown, path: string): void => {
  if (typeof value !== "string") throw invalidMessage("a text is missing", path);
};

const optionalText = (value: unknown, path: string): void => {
  if (value !== undefined) text(value, path);
};

function checkPart(part: Part, path: string): void {
  checkNative(part?.native, path);
  switch (part?.type) {
    case "text":
    case "reasoning":
      text(part.text, `${path}.text`);
      break;
    case "file":
      text(part.mediaType, `${path}.mediaType`);
      for (const key of ["data", "url", "artifact", "name"] as const) optionalText(part[key], `${path}.${key}`);
      if (part.data === undefined && part.url === undefined && part.artifact === undefined) {
        throw invalidMessage("a file needs data, a url or an artifact", path);
      }
      break;
    case "source":
      for (const key of ["id", "url", "title", "mediaType", "name"] as const) optionalText(part[key], `${path}.${key}`);
      break;
    case "tool-call":
      text(part.callId, `${path}.callId`);
      text(part.tool, `${path}.tool`);
      checkJson(part.input, `${path}.input`);
      break;
    case "tool-result":
      text(part.callId, `${path}.callId`);
      text(part.tool, `${path}.tool`);
      checkOutput(part, path);
      if (part.isError !== undefined && typeof part.isError !== "boolean") {
        throw invalidMessage("isError is true or false", `${path}.isError`);
      }
      break;
    case "approval":
      text(part.callId, `${path}.callId`);
      if (!["requested", "approved", "denied"].includes(part.state))
        throw invalidMessage("an unknown approval state", path);
      optionalText(part.reason, `${path}.reason`);
      break;
    case "custom":
      text(part.kind, `${path}.kind`);
      checkJson(part.value, `${path}.value`);
      break;
    default:
      throw invalidMessage("a part of an unknown type", path);
  }
}

function checkOutput({ output, outputIs }: ToolResultPart, path: string): void {
  checkJson(output, `${path}.output`);
  if (outputIs === undefined) return;
  if (outputIs !== "parts" || !Array.isArray(output)) {
    throw invalidMessage('outputIs is "parts" where the output is a list of parts, and absent otherwise', path);
  }
  output.forEach((inner, index) => {
    // The output says that these are parts; whether they are is looked at here.
    checkPart(inner as unknown as Part, `${path}.output[${index}]`);
  });
}

function checkNative(native: NativeMessage | undefined, path: string): void {
  if (native === undefined) return;
  text(native?.format, `${path}.native.format`);
  checkJson(native.value, `${path}.native.value`);
}

/** The parts of an input, checked. Throws `INVALID_MESSAGE` or `INVALID_JSON`. */
export function checkMessage(input: MessageInput, path: string): Part[] {
  if (typeof input !== "object" || input === null) throw invalidMessage("not a message", path);
  if (!ROLES.includes(input.role)) throw invalidMessage("role must be user, assistant, tool or system", `${path}.role`);
  if (input.id !== undefined) checkId(input.id, `message id at ${path}`);
  optionalText(input.name, `${path}.name`);
  checkNative(input.native, path);
  if (input.origin !== undefined && !ORIGINS.includes(input.origin)) {
    throw invalidMessage(`origin must be one of ${ORIGINS.join(", ")}`, `${path}.origin`);
  }
  if (input.parts === undefined) {
    if (typeof input.content !== "string") throw invalidMessage("give parts, or content as a text", path);
    return [{ type: "text", text: input.content }];
  }
  if (input.content !== undefined) throw invalidMessage("give parts or content, not both", path);
  if (!Array.isArray(input.parts)) throw invalidMessage("parts must be an array", `${path}.parts`);
  input.parts.forEach((part, index) => {
    checkPart(part, `${path}.parts[${index}]`);
  });
  return [...input.parts];
}
