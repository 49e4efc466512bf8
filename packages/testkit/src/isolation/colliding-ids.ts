/** Different ids that a careless comparison takes for one, or for a pattern that fits others; by what confuses them. */
export const COLLIDING_IDS: { readonly [confusion: string]: readonly string[] } = {
  case: ["ada", "Ada", "ADA"],
  "blanks around": ["ada ", " ada", "ada\n", "ada\t"],
  prefixes: ["ad", "ada1", "ada12"],
  "a cut at some length": [`ada${"x".repeat(508)}y`, `ada${"x".repeat(508)}z`],
  "patterns of LIKE": ["ad_", "ada%", "%", "_"],
  "patterns of GLOB and regular expressions": ["*", "a.a", "ada\\"],
  "composed letters": ["adá", "ada\u0301"],
  "letters that look alike": ["аdа", "ａｄａ", "ad\u200ba"],
  "letters that fold to two": ["ﬁ", "fi", "ß", "ss"],
  "letters with case of their own": ["İ", "i\u0307"],
  "encodings of URLs": ["ada%20", "ada+", "%61da"],
  "encodings of JSON": ['"ada"', '["ada"]', 'ada"'],
  "quotes and comments of SQL": ["ada'--", "ada' OR '1'='1"],
  "paths and joints": ["ada/", "../ada", "ada|ada"],
  "marks of adapters' own ids": ["ada#1", "ada@1", "ada?1"],
  numbers: ["0", "00"],
  "names for nothing": ["null", "undefined"],
  "members of every object": ["__proto__", "constructor"],
};

/** Texts by which ids are joined, each of which an id may hold. */
export const SEPARATORS: readonly string[] = [":", "/", "|", " ", "_", "%", ".", "#", "\u001f", '","'];

/** What no store can keep exactly. */
export const IMPOSSIBLE_IDS: readonly string[] = ["ada\0", "ada\0b", "\ud800", "ada\udc00", "x".repeat(513)];
