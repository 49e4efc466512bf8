import type { NearMessage } from "../contract/store-vectors.ts";

type Ordered = Pick<NearMessage, "score" | "createdAt" | "conversation" | "seq" | "position">;

/** The order of {@link NearMessage}s: best first; ties newest first, then by place. */
export function compareNear(left: Ordered, right: Ordered): number {
  return left.score !== right.score ? right.score - left.score : compareEqual(left, right);
}

/** The same of two that are equally near. */
export function compareEqual(left: Omit<Ordered, "score">, right: Omit<Ordered, "score">): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? 1 : -1;
  if (left.conversation !== right.conversation) return left.conversation < right.conversation ? -1 : 1;
  return left.seq - right.seq || left.position - right.position;
}
