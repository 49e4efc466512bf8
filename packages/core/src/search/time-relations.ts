import { withoutGaps } from "./terms.ts";

/** How a time that is named bounds the one that is meant. */
export type TimeRelation = "since" | "after" | "before" | "until";

/** What the words around a time say of it: `from` and `to` bound one only together, and what is talked `about` is no time. */
export type SaidOfTime = TimeRelation | "from" | "to" | "about";

/** Words of a language before or behind a time. */
interface RelationWords {
  since?: string;
  after?: string;
  before?: string;
  until?: string;
  from?: string;
  to?: string;
  about?: string;
  /** The words stand behind the time. */
  isBehind?: true;
}

/** By language tag; words with `|` between them. */
const WORDS: Readonly<Record<string, readonly RelationWords[]>> = {
  en: [
    {
      since: "since",
      after: "after",
      before: "before",
      until: "until|till|up to",
      from: "from",
      to: "to|through",
      about: "about|regarding",
    },
  ],
  de: [
    { since: "seit|ab", after: "nach", before: "vor", until: "bis|bis zum", from: "von|vom", to: "zum", about: "über" },
  ],
  fr: [
    {
      since: "depuis|à partir de|dès",
      after: "après",
      before: "avant",
      until: "jusqu'à|jusqu'au",
      from: "de|du",
      to: "à|au",
      about: "sur|à propos de",
    },
  ],
  es: [
    {
      since: "desde",
      after: "después de|después del",
      before: "antes de|antes del",
      until: "hasta",
      from: "de|del",
      to: "a|al",
      about: "sobre|acerca de",
    },
  ],
  pt: [
    {
      since: "desde",
      after: "depois de|depois do|depois da|após",
      before: "antes de|antes do|antes da",
      until: "até",
      from: "de|da|do",
      to: "a|à|ao",
      about: "sobre",
    },
  ],
  it: [
    {
      since: "da|dal|dalla|dall'",
      after: "dopo",
      before: "prima di|prima del|prima della",
      until: "fino a|fino al",
      to: "a|al|alla",
      about: "su|riguardo a",
    },
  ],
  nl: [{ since: "sinds|vanaf", after: "na", before: "voor|vóór", until: "tot", from: "van", to: "tot", about: "over" }],
  sv: [
    { since: "sedan|sen", after: "efter", before: "före|innan", until: "till|fram till", from: "från", about: "om" },
  ],
  pl: [{ since: "od", after: "po", before: "przed", until: "do" }],
  ru: [{ since: "с|со|начиная с", after: "после", before: "перед", until: "до|по", about: "о|об|про" }],
  tr: [{ isBehind: true, since: "beri|itibaren", after: "sonra", before: "önce", until: "kadar" }],
  ja: [
    {
      isBehind: true,
      since: "から|以来|以降",
      after: "の後|より後",
      before: "の前|より前|以前",
      until: "まで",
      about: "について",
    },
  ],
  zh: [
    { since: "自从|自從|自|从|從", until: "到|至|直到" },
    { isBehind: true, since: "以来|以來|起", after: "之后|之後|以后|以後", before: "之前|以前" },
  ],
  ko: [{ isBehind: true, since: "부터", after: "이후|후에", before: "전에|이전", until: "까지", about: "에 대해" }],
  ar: [{ since: "منذ|من", after: "بعد", before: "قبل", until: "حتى|إلى" }],
  he: [{ since: "מאז|מ", after: "אחרי", before: "לפני", until: "עד" }],
};

/** What may stand between such a word and the time. */
const ARTICLE = /(?<!\p{L})(?:the|dem|der|den|le|la|el|il|l'|o|a|het|de|ל|-)$/u;
/** How a word goes on in Turkish, behind a name with an apostrophe. */
const ENDING = /^'?\p{Script=Latin}{0,3}\s+/u;
/** Longer than any such word with what may stand beside it, in UTF-16 code units. */
const LONGEST = 32;

const plain = (text: string): string => text.toLowerCase().replaceAll("’", "'");

/** What the words around a time say of it, in the first of some languages that has any. */
export function relationAt(
  query: string,
  { index, length }: { index: number; length: number },
  languages: readonly string[],
): SaidOfTime | undefined {
  const before = plain(query.slice(Math.max(0, index - LONGEST), index)).trimEnd();
  const behind = plain(query.slice(index + length, index + length + LONGEST));
  const befores = [before, before.replace(ARTICLE, "").trimEnd()];
  const behinds = [behind.trimStart(), behind.replace(ENDING, "")];
  // "De" is from in several languages, and ends "antes de".
  let bound: "from" | "to" | undefined;
  for (const { isBehind, ...words } of languages.flatMap((language) => WORDS[language] ?? [])) {
    for (const [relation, choices] of Object.entries(words)) {
      const isSaid = choices
        .split("|")
        .some((word) =>
          isBehind ? behinds.some((text) => text.startsWith(word)) : befores.some((text) => endsWithWord(text, word)),
        );
      if (!isSaid) continue;
      if (relation === "from" || relation === "to") bound ??= relation;
      // The keys are these; TypeScript knows only that they are texts.
      else return relation as SaidOfTime;
    }
  }
  return bound;
}

/** A word begins behind no letter, but where they are written without gaps. */
const endsWithWord = (text: string, word: string): boolean =>
  text.endsWith(word) && (withoutGaps(word) || !/\p{L}$/u.test(text.slice(0, -word.length)));

/** Two times that follow are an earlier and a later one. */
export const isBetween = (query: string): boolean =>
  /(?<!\p{L})(?:between|zwischen|entre|tra|fra|tussen|mellan|między|между|بين|בין)(?!\p{L})|之间|之間|arasında|の間|사이/iu.test(
    query,
  );
