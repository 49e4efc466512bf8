/** One thing that the person said of themselves. */
export interface Told {
  /** Absent where there may be several of the kind. */
  key?: string;
  topic?: string;
  value: string;
  type: "fact" | "preference";
  /** The person's own words. */
  quote: string;
}

/** What the person wants, as far as a few rules can tell. */
export type Intent =
  | { kind: "tell"; told: Told[] }
  | { kind: "forget"; key: string }
  | { kind: "ask-one"; key: string }
  | { kind: "ask-all" }
  | { kind: "dinner" }
  | { kind: "ask-past"; query: string }
  | { kind: "chat" };

const DIETS = /^(vegetarian|vegan|pescatarian)\b/i;

/** Words of a question that say nothing about what to look for. */
const EMPTY_WORDS = new Set(
  (
    "a about an and any are at be been can could did do does for from had has have how i in is it me my of on or our " +
    "please recall remember said say should tell that the there they this to told was we were what when where which " +
    "who whom whose why will with would you your"
  ).split(" "),
);

/** What a text asks or tells. English only. Pure. */
export function understand(text: string): Intent {
  const said = text.trim().replaceAll("’", "'");
  const forget = /\bforget (?:about )?my ([\w -]+?)[.!?]*$/i.exec(said);
  if (forget?.[1]) return { kind: "forget", key: keyOf(forget[1]) };
  if (/\bwhat do you (?:know|remember) about me\b|\bdo you (?:know|remember) me\b|\bwho am i\b/i.test(said)) {
    return { kind: "ask-all" };
  }
  if (/\?\s*$/.test(said)) return question(said);
  const told = sentences(said).flatMap(tellings);
  return told.length > 0 ? { kind: "tell", told } : { kind: "chat" };
}

function question(said: string): Intent {
  if (
    /\b(cook|eat|dinner|lunch|recipe)\b/i.test(said) &&
    /\b(could|can|should|shall|suggest|what's for)\b/i.test(said)
  ) {
    return { kind: "dinner" };
  }
  const one =
    /\b(?:what|who)(?:'s| is| are| was) my ([\w -]+?)(?:'s name| called)?[?!.\s]*$/i.exec(said) ??
    /\bdo you (?:know|remember) my ([\w -]+?)(?:'s name)?[?!.\s]*$/i.exec(said);
  if (one?.[1]) return { kind: "ask-one", key: keyOf(one[1]) };
  if (/\bwhere do I live\b/i.test(said)) return { kind: "ask-one", key: "home" };
  if (/\b(?:what|which)\b.* do I prefer\b/i.test(said)) return { kind: "ask-one", key: "preferences" };
  const query = contentWords(said).join(" ");
  return query === "" ? { kind: "chat" } : { kind: "ask-past", query };
}

const sentences = (text: string): string[] => text.split(/(?<=[.!;])\s+|\n+/);

/** Words worth searching for, in their order. */
export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}:]+/gu) ?? []).filter((word) => !EMPTY_WORDS.has(word));

const keyOf = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");

const trimmed = (text: string): string => text.replace(/[\s.!,;]+$/, "").trim();

/** What one sentence tells: each clause of it that fits a rule. */
function tellings(sentence: string): Told[] {
  return sentence.split(/,? and (?=I\b|my\b|call me\b)|, (?=I\b|my\b|call me\b)/i).flatMap((clause) => {
    const told = telling(trimmed(clause));
    return told === null ? [] : [told];
  });
}

function telling(clause: string): Told | null {
  const name = /\b(?:call me|my name is) (.+)$/i.exec(clause) ?? /\bI(?:'m| am) (\p{Lu}[\p{L}'-]+)$/u.exec(clause);
  if (name?.[1]) return { key: "name", value: name[1], type: "fact", quote: name[0] };
  const mine = /\bmy ([a-z][\w -]*?) (?:is|are)(?: called| named)? (.+)$/i.exec(clause);
  if (mine?.[1] && mine[2]) {
    const isFavourite = /^favou?rite\b/i.test(mine[1]);
    return { key: keyOf(mine[1]), value: mine[2], type: isFavourite ? "preference" : "fact", quote: mine[0] };
  }
  const home = /\bI (?:live in|moved to) (.+)$/i.exec(clause);
  if (home?.[1]) return { key: "home", value: home[1], type: "fact", quote: home[0] };
  const like = /\bI (?:really )?(like|love|prefer|hate|dislike|don't like) (.+)$/i.exec(clause);
  if (like?.[1] && like[2]) {
    const topic = /hate|dis|don't/i.test(like[1]) ? "dislikes" : "likes";
    return { topic, value: like[2], type: "preference", quote: like[0] };
  }
  const am = /\bI(?:'m| am) (?:an? )?(.+)$/i.exec(clause);
  if (am?.[1] && DIETS.test(am[1]))
    return { key: "diet", value: am[1].toLowerCase(), type: "preference", quote: am[0] };
  const asked = /^(?:please )?remember(?: that)? (.+)$/i.exec(clause);
  if (asked?.[1]) return { topic: "asked to remember", value: asked[1], type: "fact", quote: asked[1] };
  return null;
}
