import type { NearMessage } from "../contract/store-vectors.ts";

type Ordered = Pick<NearMessage, "score" | "createdAt" | "conversation" | "seq" | "position">;

/** The order of {@link NearMessage}s: best first; ties newest first, then by place. */
export function compareNear(left: Ordered, right: Ordered): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? 1 : -1;
  if (left.conversation !== right.conversation) return left.conversation < right.conversation ? -1 : 1;
  return left.seq - right.seq || left.position - right.position;
}
