/**
 * Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980), steps 1 to 5, so that "counselling" in a
 * summary counts for "counselor" in an answer.
 */
export function stem(input: string): string {
  if (input.length < 3 || !/^[a-z]+$/.test(input)) return input;
  let word = input.startsWith("y") ? `Y${input.slice(1)}` : input;
  word = replaceFirst(word, [
    [/sses$/, "ss"],
    [/ies$/, "i"],
    [/([^s])s$/, "$1"],
  ]);
  if (/eed$/.test(word)) {
    if (measure(word.slice(0, -3)) > 0) word = word.slice(0, -1);
  } else {
    const trunk = word.replace(/(ed|ing)$/, "");
    if (trunk !== word && hasVowel(trunk)) {
      word = trunk;
      if (/(at|bl|iz)$/.test(word)) word += "e";
      else if (/([^aeiouylsz])\1$/.test(word)) word = word.slice(0, -1);
      else if (measure(word) === 1 && endsShort(word)) word += "e";
    }
  }
  if (/y$/.test(word) && hasVowel(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
  word = replaceWhere(word, STEP_2, (trunk) => measure(trunk) > 0);
  word = replaceWhere(word, STEP_3, (trunk) => measure(trunk) > 0);
  word = replaceWhere(word, STEP_4, (trunk, suffix) => measure(trunk) > 1 && (suffix !== "ion" || /[st]$/.test(trunk)));
  if (/e$/.test(word)) {
    const trunk = word.slice(0, -1);
    if (measure(trunk) > 1 || (measure(trunk) === 1 && !endsShort(trunk))) word = trunk;
  }
  if (/ll$/.test(word) && measure(word) > 1) word = word.slice(0, -1);
  return word.toLowerCase();
}

type Suffixes = readonly (readonly [suffix: string, by: string])[];

const pairs = (text: string): Suffixes =>
  text.split(" ").map((pair) => {
    const [suffix = "", by = ""] = pair.split(">");
    return [suffix, by];
  });

const STEP_2 = pairs(
  "ational>ate tional>tion enci>ence anci>ance izer>ize abli>able alli>al entli>ent eli>e ousli>ous ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble",
);
const STEP_3 = pairs("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>");
const STEP_4 = pairs(
  "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>",
);

function replaceFirst(word: string, rules: readonly (readonly [RegExp, string])[]): string {
  for (const [pattern, by] of rules) if (pattern.test(word)) return word.replace(pattern, by);
  return word;
}

function replaceWhere(word: string, suffixes: Suffixes, holds: (trunk: string, suffix: string) => boolean): string {
  for (const [suffix, by] of suffixes) {
    if (!word.endsWith(suffix)) continue;
    const trunk = word.slice(0, -suffix.length);
    return holds(trunk, suffix) ? trunk + by : word;
  }
  return word;
}

/** Consonant and vowel runs: `c` and `v`, each once per run. */
const shape = (word: string): string =>
  word
    .replace(/(?<=[^aeiou])y/g, "i")
    .replace(/[aeiou]+/g, "v")
    .replace(/[^v]+/g, "c");

const measure = (word: string): number => shape(word).match(/vc/g)?.length ?? 0;
const hasVowel = (word: string): boolean => shape(word).includes("v");
const endsShort = (word: string): boolean => /(^|[^aeiou])[aeiouy][^aeiouwxyY]$/.test(word) && word.length > 2;
