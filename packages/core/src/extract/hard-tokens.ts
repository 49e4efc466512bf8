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

/** What somebody does, where the form of the verb doesn't tell: "Ida went", "Ida will", "Ida and her sister". */
const DOES_IRREGULARLY = new RegExp(
  `^\\s+(?:${[
    "also|always|can|could|did|does|may|might|must|never|often|should|will|would",
    "ate|became|began|bought|broke|brought|built|came|chose|drove|felt|fell|flew|found|gave|got|grew|held|kept|knew|led",
    "left|lost|made|met|paid|ran|said|sang|sat|saw|sent|sold|spent|spoke|stood|swam|taught|thought|threw|told|took",
    "understood|went|woke|won|wore|wrote",
    "(?:and|&)\\s+(?:her|his|their)",
  ].join("|")})\\b`,
  "u",
);

/** Names of months and days, which a resolved date may bring with it; not a Maria, a Monica or an Augusta. */
const CALENDAR =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?$/i;

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
      DOES_IRREGULARLY.test(after) ||
      /['’]s$/u.test(name);
    const bare = name.replace(/['’]s?$/u, "");
    return (begins && !(isName && before === "")) || CALENDAR.test(bare) || bare === "I" || bare.length < 2
      ? []
      : [bare];
  });
  return [...new Set([...exact, ...names])];
}
