import { type JsonObject, type NativeMessage, nativeForm } from "@throughline/core";

/** Names the form in the `native` of a message and of its parts. */
export const NATIVE_FORMAT = "langchain/message@1";

/** Prefix of the kinds of parts that only LangChain knows. */
export const HOST_KIND = "langchain.";

/**
 * What a host's message or part holds more than the neutral one. The content itself stands in the neutral form only: it
 * is stored once, and what is erased there is erased.
 */
export interface NativeForm {
  /** Which of several host forms the neutral part came from. */
  as?: string;
  /** Members of the host's content block that the neutral part has no place for. */
  rest?: JsonObject;
  /** The message's content was a list of blocks. */
  blocks?: true;
  /** The role of a `ChatMessage`. */
  role?: string;
  /** Members of the host's message. */
  fields?: JsonObject;
  /** Ids of the calls in the order of `tool_calls`, where it isn't the order of the content. */
  calls?: string[];
}

/** A `native` member to be spread; nothing where the neutral form holds everything. */
export const writeNative = (form: NativeForm): { native?: NativeMessage } => nativeForm(NATIVE_FORMAT, form);

/** What was written by {@link writeNative}; nothing of another host's form, and no member of a wrong type. */
export function readNative({ native }: { native?: NativeMessage }): NativeForm {
  if (native?.format !== NATIVE_FORMAT || !isObject(native.value)) return {};
  const { as, rest, blocks, role, fields, calls } = native.value;
  return {
    ...(typeof as === "string" ? { as } : {}),
    ...(isObject(rest) ? { rest } : {}),
    ...(blocks === true ? { blocks } : {}),
    ...(typeof role === "string" ? { role } : {}),
    ...(isObject(fields) ? { fields } : {}),
    ...(Array.isArray(calls) ? { calls: calls.filter((id) => typeof id === "string") } : {}),
  };
}

/** A JSON object, and not a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
