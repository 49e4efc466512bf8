import { later } from "../memory/later.ts";
import type { Breath } from "../search/breath.ts";

/** `rankFacts` within what a breath allows: it knows the forms of words in a dozen languages. */
export const rankFactsLater = later(async () => {
  const { rankFacts } = await import("./rank-facts.ts");
  return (breath: Breath, ...asked: Parameters<typeof rankFacts>) => breath.through(rankFacts(...asked));
});
