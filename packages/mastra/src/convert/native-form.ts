import { type JsonObject, type NativeMessage, nativeForm } from "@throughline/core";

/** Names the form in the `native` of a message and of its parts. */
export const NATIVE_FORMAT = "mastra/row@2";

/** Prefix of the kinds of parts that only Mastra knows. */
export const HOST_KIND = "mastra.";

/**
 * What a row or one of its parts holds more than the neutral form. The content itself stands in the neutral form only: it
 * is stored once, and what is erased there is erased.
 */
export interface NativeForm {
  /** Which of several host forms the neutral part came from. */
  as?: string;
  /** Members of the host's part that the neutral one has no place for. */
  rest?: JsonObject;
  /** Members of the invocation inside a tool's part. */
  invocation?: JsonObject;
  /** Members of the row, on its first message. */
  row?: JsonObject;
  /** The host's second copies of what the parts say, by the rule that makes them from the parts. */
  copies?: JsonObject;
  /** The step's mark at the head of this message; `null` where the row goes on without one. */
  step?: JsonObject | null;
}

/** A `native` member to be spread; nothing where the neutral form holds everything. */
export const writeNative = (form: NativeForm): { native?: NativeMessage } => nativeForm(NATIVE_FORMAT, form);

/** What was written by {@link writeNative}; nothing of another host's form, and no member of a wrong type. */
export function readNative({ native }: { native?: NativeMessage }): NativeForm {
  if (native?.format !== NATIVE_FORMAT || !isObject(native.value)) return {};
  const { as, rest, invocation, row, copies, step } = native.value;
  return {
    ...(typeof as === "string" ? { as } : {}),
    ...(isObject(rest) ? { rest } : {}),
    ...(isObject(invocation) ? { invocation } : {}),
    ...(isObject(row) ? { row } : {}),
    ...(isObject(copies) ? { copies } : {}),
    ...(isObject(step) || step === null ? { step } : {}),
  };
}

/** A JSON object, and not a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
