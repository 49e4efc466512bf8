import { checkNumbers } from "../../checks/numbers.ts";
import type { Distiller } from "../../contract/models.ts";
import { Breath } from "../../search/breath.ts";
import type { StatementPattern } from "./statement-pattern.ts";

/** What {@link patternDistiller} can be told. */
export interface PatternDistillerOptions {
  /** Further patterns, tried before the built-in ones. */
  patterns?: readonly StatementPattern[];
  /** Languages whose built-in patterns are used. @default all */
  languages?: readonly string[];
}

/**
 * A distiller without a model: it keeps what the person states outright ("remember that …", "I prefer …", "my dog is
 * called …", "call me …"), in seventeen languages, and nothing that is asked, supposed, quoted or told of others. It would
 * rather miss something than note what wasn't meant. It reads turns; what somebody else wrote in an event states nothing.
 */
export function patternDistiller(options: PatternDistillerOptions = {}): Distiller {
  const { patterns = [], languages } = options;
  for (const pattern of patterns) checkNumbers("patternDistiller", pattern, { confidence: "share" });
  let all: readonly StatementPattern[] | undefined;
  return async ({ turns, signal }) => {
    // The tables of all languages are as large as much of the rest, and nobody needs them before a turn is over.
    const { LANGUAGE_PATTERNS, statedIn } = await import("./stated-facts.ts");
    all ??= [...patterns, ...LANGUAGE_PATTERNS.filter(({ language }) => languages?.includes(language) ?? true)];
    return new Breath(signal, "distill").through(statedIn(turns, all));
  };
}
