// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0085\u2028\u2029]|\r\n?/g;

/** What {@link escapeStored} changes, or might. Most texts hold none of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to look for
const SUSPECT = /[&<>\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029\ud800-\udfff]/;

/**
 * Stored text made fit for the memory block: it can't close a tag of the block or open one. Control characters that
 * could hide something from a reader (but not tab and line break) become spaces.
 */
export function escapeStored(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(CONTROLS, (found) => (found.startsWith("\r") ? "\n" : " "))
    .toWellFormed();
}

/** A name that {@link escapeStored} escaped, as it was: a model copies it as it was shown. */
export const unescapeName = (name: string): string =>
  name.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** {@link escapeStored} on one line: a stored line break must not look like an entry of its own. */
export function escapeLine(text: string): string {
  const escaped = escapeStored(text);
  if (!escaped.includes("\n")) return escaped;
  // Not one expression for the space on both sides: that takes the square of a long run of spaces.
  const lines = escaped.split(/\n\s*/);
  return lines.map((line, index) => (index < lines.length - 1 ? line.trimEnd() : line)).join(" ⏎ ");
}
