import { encodeText } from "./artifact-rows.ts";
import type { NewChunk } from "./artifact-store.ts";
import { base64Length } from "./base64.ts";
import type { Content } from "./result-content.ts";
import { splitText } from "./split-text.ts";

/** Largest page in characters, whatever the policy asks for: no stored item is huge. */
export const MAX_PAGE_CHARS = 100_000;

/** Characters of a page. */
export const pageSize = (pageChars: number): number => Math.min(MAX_PAGE_CHARS, Math.max(1, Math.floor(pageChars)));

const countLines = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
};

/** Pages of text as they are stored. `prefix` sets the keys of different writers apart. */
export function textChunks(pieces: readonly string[], prefix: string): NewChunk[] {
  return pieces.map((text, index) => {
    const escaped = text.isWellFormed() ? undefined : true;
    return {
      key: `${prefix}-${index}`,
      characters: text.length,
      lines: countLines(text),
      ...(escaped ? { escaped } : {}),
      bytes: encodeText(text, escaped),
    };
  });
}

/** A content in pages as they are stored. */
export function contentChunks(content: Content, pageChars: number, prefix: string): NewChunk[] {
  const size = pageSize(pageChars);
  if (content.kind !== "binary") return textChunks(splitText(content.text, size), prefix);
  // Three bytes are four characters of base64, so that pages put together are the base64 of the whole.
  const step = Math.max(1, Math.floor(size / 4)) * 3;
  const chunks: NewChunk[] = [];
  for (let from = 0; from < content.bytes.length; from += step) {
    const bytes = content.bytes.slice(from, from + step);
    chunks.push({ key: `${prefix}-${chunks.length}`, characters: base64Length(bytes.length), lines: 0, bytes });
  }
  return chunks;
}
