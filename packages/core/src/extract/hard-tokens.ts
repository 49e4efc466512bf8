/** Numbers, times, amounts, addresses: what nobody says in other words. */
const EXACT = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+|https?:\/\/\S+|\p{N}+(?:[.,:/-]\p{N}+)*/gu;

/** A word with a capital in a script that has capitals. */
const CAPITALISED = /\p{Lu}[\p{L}\p{M}'’-]*/gu;

/** What follows the name of somebody or something that a sentence is about. */
const IS_SUBJECT = /^\s+(?:is|was|are|were|has|had|ist|war|hat|est|était|a|es|era|tiene|é|tem|è|ha|heeft)\b/u;

/** What somebody does, in English: "Rex likes", "Ida planted". */
const DOES = /^\s+\p{Ll}+(?:s|ed)(?!\p{L})/u;

/** A first word that is itself what somebody does: "Likes beans". */
const VERB_FORM = /(?:s|ed|ing)$/u;

/** Names of months and days, which a resolved date may bring with it. */
const CALENDAR = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*$/i;

/**
 * What of a value must have been said as it stands: numbers and addresses, and words with a capital that don't only begin
 * a sentence. Pure.
 */
export function hardTokens(text: string): string[] {
  const exact = [...text.matchAll(EXACT)].map(([token]) => token);
  const names = [...text.matchAll(CAPITALISED)].flatMap(({ 0: name, index }) => {
    const before = text.slice(0, index).trimEnd();
    const begins = before === "" || /[.!?…:;]["'”’)]?$/u.test(before);
    const after = text.slice(index + name.length);
    // "Rex is her dog" begins with a name, "Lives in Porto" doesn't.
    const isName =
      after.trim() === "" ||
      IS_SUBJECT.test(after) ||
      (DOES.test(after) && !VERB_FORM.test(name)) ||
      /['’]s$/u.test(name);
    const bare = name.replace(/['’]s?$/u, "");
    return (begins && !(isName && before === "")) || CALENDAR.test(bare) || bare === "I" || bare.length < 2
      ? []
      : [bare];
  });
  return [...new Set([...exact, ...names])];
}
