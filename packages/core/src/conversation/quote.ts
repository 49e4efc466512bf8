/** A text as quotes are compared: compatibility forms, case, punctuation and spaces don't count. */
const loosened = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** True where `quote` stands in `text`, whole words, without regard to punctuation and case. Pure. */
export function quoteStands(quote: string, text: string): boolean {
  const words = loosened(quote);
  return words !== "" && ` ${loosened(text)} `.includes(` ${words} `);
}
