import type { VectorDocument, VectorQuery } from "../contract/store-vectors.ts";

/** True where a message of a conversation passes the query's filters, its floor and scope aside. */
export const passesFilter = (
  conversation: string,
  { role, createdAt, seq }: Pick<VectorDocument, "role" | "createdAt" | "seq">,
  { conversation: within, role: only, from, to, exclude }: VectorQuery,
): boolean =>
  (within === undefined || conversation === within) &&
  (only === undefined || role === only) &&
  (from === undefined || createdAt >= from) &&
  (to === undefined || createdAt < to) &&
  !(exclude && conversation === exclude.conversation && seq > exclude.after);
