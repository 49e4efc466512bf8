import { type Json, type NativeMessage, nativeForm, toJson } from "@throughline/core";
import * as z from "zod";

/** Names the form in the `native` of parts. */
export const NATIVE_FORMAT = "openai-agents/item@0.20";

/** Kind of the part that stands for something only this host knows; its value is the host's own. */
export const HOST_KIND = "openai-agents.";

const members = z.record(z.string(), z.json());

const itemForm = z.object({
  /** Which of the host's forms the part came from, where the part itself doesn't tell. */
  as: z.string().optional(),
  /** Members of the host's item beside its content: id, status, provider data. Stands at the item's first part. */
  item: members.optional(),
  /** The same of one entry of the item's content. */
  content: members.optional(),
});

/**
 * What a host's item holds more than the neutral part. The content itself stands in the neutral form only: it is stored
 * once, and what is erased there is erased.
 */
export type ItemForm = z.output<typeof itemForm>;

/** A `native` member to be spread; nothing where the neutral form holds everything. */
export const writeForm = (form: ItemForm): { native?: NativeMessage } => nativeForm(NATIVE_FORMAT, form);

/** What was written by {@link writeForm}; nothing of another host's form. */
export function readForm({ native }: { native?: NativeMessage }): ItemForm {
  if (native?.format !== NATIVE_FORMAT) return {};
  // Checked and not copied: zod's copy lacks members named __proto__ in some versions.
  return itemForm.safeParse(native.value).success ? (native.value as ItemForm) : {};
}

/** An object's members without those named, as plain JSON. */
export function otherMembers(holder: object, ...named: string[]): { [key: string]: Json } {
  const rest = Object.entries(holder).filter(([key, value]) => value !== undefined && !named.includes(key));
  return Object.fromEntries(rest.map(([key, value]) => [key, toJson(value, "An item")]));
}

/** The members, or nothing where there is none. */
export const ifAny = (given: { [key: string]: Json }): { [key: string]: Json } | undefined =>
  Object.keys(given).length === 0 ? undefined : given;
