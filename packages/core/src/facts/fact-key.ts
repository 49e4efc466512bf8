import { MemoryError } from "../errors/memory-error.ts";

const MAX_KEY_CHARS = 128;
/** Names that are compared letter by letter; longer ones by their words alone. */
const MAX_COMPARED_CHARS = 48;
/** Live keys that are looked at for near-duplicates. */
const MAX_COMPARED_KEYS = 2_000;

/**
 * A key as it is stored: compatibility forms folded, camel case and separators to single underscores, lower case.
 * `"Favourite Colour"`, `"favouriteColour"` and `"favourite-colour"` are one key. Throws `INVALID_KEY`.
 */
export function normaliseKey(key: unknown): string {
  if (typeof key !== "string" || !key.isWellFormed()) {
    throw new MemoryError("INVALID_KEY", "A fact's key must be a text without lone surrogates.");
  }
  const normalised = key
    .normalize("NFKC")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replace(/[\s\-_./:\p{Cc}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  if (normalised === "" || normalised.length > MAX_KEY_CHARS) {
    throw new MemoryError(
      "INVALID_KEY",
      `A fact's key must have 1 to ${MAX_KEY_CHARS} characters besides separators; use a short name such as "favourite_colour".`,
    );
  }
  return normalised;
}

/** Lower-cased, trimmed, without duplicates; at most 8 of at most 64 characters. */
export function normaliseTags(tags: readonly string[] | undefined): string[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== "string" || !tag.isWellFormed())) {
    throw new MemoryError("INVALID_ARGUMENT", "Tags must be a list of texts.");
  }
  const normalised = tags.map((tag) => tag.normalize("NFKC").trim().toLowerCase().slice(0, 64).toWellFormed());
  return [...new Set(normalised.filter((tag) => tag !== ""))].slice(0, 8);
}

/** Number of single-character edits between two texts, `limit + 1` where it is more. Only `limit` cells beside the diagonal count. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => (index <= limit ? index : limit + 1));
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(limit + 1);
    if (row <= limit) current[0] = row;
    let least = current[0] as number;
    for (let column = Math.max(1, row - limit); column <= Math.min(b.length, row + limit); column++) {
      const substitution = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const cell = Math.min(substitution, (previous[column] as number) + 1, (current[column - 1] as number) + 1);
      current[column] = cell;
      least = Math.min(least, cell);
    }
    if (least > limit) return limit + 1;
    previous = current;
  }
  return Math.min(previous[b.length] as number, limit + 1);
}

const words = (key: string): Set<string> => new Set(key.split("_").map((word) => word.replace(/(?<=..)s$/, "")));

/**
 * Live keys so close to `key` that the writer may have meant them: a typo away, or the same words in another order. A hint,
 * so its work is bounded: of very many keys the first are looked at.
 */
export function similarKeys(key: string, live: Iterable<string>): string[] {
  const own = words(key);
  const isShort = key.length > 4 && key.length <= MAX_COMPARED_CHARS;
  const similar: string[] = [];
  let looked = 0;
  for (const other of live) {
    if (other === key) continue;
    if (++looked > MAX_COMPARED_KEYS) break;
    if (isShort && editDistance(key, other, 2) <= 2) {
      similar.push(other);
      continue;
    }
    const theirs = words(other);
    let shared = 0;
    for (const word of own) if (theirs.has(word)) shared++;
    if (shared / (own.size + theirs.size - shared) >= 0.6) similar.push(other);
  }
  return similar.sort().slice(0, 5);
}
