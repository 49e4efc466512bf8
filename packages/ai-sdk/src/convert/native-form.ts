import type { JsonObject, NativeMessage } from "@throughline/core";
import { z } from "zod";

/** Names the form in a message's `native`. */
export const NATIVE_FORMAT = "ai-sdk/model-message@7";

const jsonObject = z.record(z.string(), z.json());

const partForm = z.object({
  /** Which of several host forms the neutral part came from. */
  as: z.enum(["text", "json", "denied"]).optional(),
  /** The host's own members of an approval: its id, its signature. */
  approval: jsonObject.optional(),
  /** What only the provider that made it understands. */
  providerOptions: jsonObject.optional(),
  outputOptions: jsonObject.optional(),
  /** Provider options of a tool result's content, by position. */
  contentOptions: z.record(z.string(), jsonObject).optional(),
});

const nativeForm = z.object({
  parts: z.record(z.string(), partForm),
  providerOptions: jsonObject.optional(),
});

/** What a host's part holds more than the neutral one. */
export type PartForm = z.output<typeof partForm>;

/**
 * What a host's message holds more than the neutral one, part by part. The content itself stands in the neutral parts
 * only: it is stored once, and what is erased there is erased.
 */
export type NativeForm = z.output<typeof nativeForm>;

/** The message's `native`; `undefined` where the neutral form holds everything. */
export function writeNative(
  parts: readonly (PartForm | undefined)[],
  providerOptions?: JsonObject,
): NativeMessage | undefined {
  const kept = parts.flatMap((form, index) => {
    const defined = Object.entries(form ?? {}).filter(([, value]) => value !== undefined);
    return defined.length === 0 ? [] : [[String(index), Object.fromEntries(defined)] as const];
  });
  if (kept.length === 0 && providerOptions === undefined) return undefined;
  return {
    format: NATIVE_FORMAT,
    value: { parts: Object.fromEntries(kept), ...(providerOptions === undefined ? {} : { providerOptions }) },
  };
}

/** What was written by {@link writeNative}; nothing for another host's form. */
export function readNative(native: NativeMessage | undefined): NativeForm {
  if (native?.format !== NATIVE_FORMAT) return { parts: {} };
  const parsed = nativeForm.safeParse(native.value);
  return parsed.success ? parsed.data : { parts: {} };
}
