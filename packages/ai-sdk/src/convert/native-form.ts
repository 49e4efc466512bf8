import { type NativeMessage, nativeForm } from "@throughline/core";
import * as z from "zod";
import { definedJson } from "./json.ts";

/** Names the form in the `native` of a message and of its parts. */
export const NATIVE_FORMAT = "ai-sdk/model-message@7";

const jsonObject = z.record(z.string(), z.json());

const nativeMembers = z.object({
  /** Which of several host forms the neutral part came from. */
  as: z.enum(["text", "json", "denied"]).optional(),
  /** The host's own members of an approval: its id, its signature. */
  approval: jsonObject.optional(),
  /** What only the provider that made it understands. */
  providerOptions: z.record(z.string(), jsonObject).optional(),
  /** The same of a tool result's output. */
  outputOptions: z.record(z.string(), jsonObject).optional(),
  /** A UI message's metadata. */
  metadata: z.json().optional(),
});

/**
 * What a host's message or part holds more than the neutral one. The content itself stands in the neutral form only: it
 * is stored once, and what is erased there is erased.
 */
export type NativeForm = z.output<typeof nativeMembers>;

/** The provider options of a host's message, part or output as plain JSON; `undefined` where there are none. */
export function readOptions(holder: object): NativeForm["providerOptions"] {
  const { providerOptions } = holder as { providerOptions?: object };
  // By provider, then by name: the host's type says so.
  return definedJson({ ...providerOptions }, "Provider options") as NativeForm["providerOptions"];
}

/** A `native` member to be spread; nothing where the neutral form holds everything. */
export const writeNative = (form: NativeForm): { native?: NativeMessage } => nativeForm(NATIVE_FORMAT, form);

/** What was written by {@link writeNative}; nothing of another host's form. */
export function readNative({ native }: { native?: NativeMessage }): NativeForm {
  if (native?.format !== NATIVE_FORMAT) return {};
  // Checked and not copied: zod's copy lacks members named __proto__ in some versions.
  return nativeMembers.safeParse(native.value).success ? (native.value as NativeForm) : {};
}
