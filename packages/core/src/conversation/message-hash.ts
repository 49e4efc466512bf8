import { canonicalJson } from "../checks/json.ts";
import type { Json } from "../contract/json.ts";
import type { MessageInput, Part, Role } from "../contract/message.ts";
import { contentHash } from "../text/hash.ts";

/** A hash of what a message says: role and parts. Times, ids and a host's own form don't count. */
export function messageHash(message: { role: Role; parts: readonly Part[] }): string {
  const first = message.parts[0];
  // One text part is by far the most frequent; its content needs no canonical form.
  if (message.parts.length === 1 && first?.type === "text") return contentHash(`${message.role}\n${first.text}`);
  const parts = message.parts.map(({ native: _native, ...part }) => part);
  // Parts were checked to be JSON as they came in.
  return contentHash(`${message.role}\n${canonicalJson(parts as unknown as Json)}`);
}

/** {@link messageHash} of a message as a host gives it. */
export const messageHashOf = (input: MessageInput): string =>
  messageHash({ role: input.role, parts: input.parts ?? [{ type: "text", text: input.content ?? "" }] });
