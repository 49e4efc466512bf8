import type { Breath } from "../search/breath.ts";
import type { RankedFact, rankFacts } from "./rank-facts.ts";

/** `rankFacts` within what a breath allows. It knows the forms of words in a dozen languages: it is loaded as it is first asked. */
export async function rankFactsLater(breath: Breath, ...asked: Parameters<typeof rankFacts>): Promise<RankedFact[]> {
  const ranking = await import("./rank-facts.ts");
  return breath.through(ranking.rankFacts(...asked));
}
