/**
 * Who a text comes from, as stamped by the adapter that wrote it.
 *
 * Ordered by authority in {@link ORIGINS}: what is derived from several sources takes the lowest.
 */
export type Origin = "operator" | "user" | "user-confirmed" | "import" | "assistant" | "tool" | "document" | "memory";

/** All origins, highest authority first. */
export const ORIGINS: readonly Origin[] = [
  "operator",
  "user",
  "user-confirmed",
  "import",
  "assistant",
  "tool",
  "document",
  "memory",
];
