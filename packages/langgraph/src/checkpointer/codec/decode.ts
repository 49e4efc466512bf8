import { MemoryError } from "@throughline/core";
import { decodeBinary } from "./binary.ts";
import { makeError } from "./errors.ts";
import { type Encoded, isMark, MARK, setOwn } from "./format.ts";
import { HOST_VALUES } from "./host-values.ts";
import { makeMessage } from "./messages.ts";

type Members = Record<string, unknown>;

/** A value of a text that `encode` wrote. Throws `STORE_CORRUPT` for one that it didn't, `STORE_NEWER` for a later format. */
export function decode(text: string): unknown {
  let parsed: Encoded;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new MemoryError("STORE_CORRUPT", "A stored state is not JSON.", { cause });
  }
  try {
    return revive(parsed);
  } catch (cause) {
    if (MemoryError.isInstance(cause)) throw cause;
    // What a constructor makes nothing of, or what is nested without an end.
    throw corrupt(cause);
  }
}

/** What needs no change stays the same object. */
function revive(encoded: Encoded): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (Array.isArray(encoded)) {
    for (let index = 0; index < encoded.length; index++) {
      const item = encoded[index];
      // Revived in its place: the parsed tree is ours alone.
      if (typeof item === "object" && item !== null) (encoded as unknown[])[index] = revive(item);
    }
    return encoded;
  }
  let isFirst = true;
  for (const key in encoded) {
    const member = encoded[key];
    // A mark stands alone, so the first key tells.
    if (isFirst && isMark(key)) return reviveMarked(key, member);
    isFirst = false;
    if (typeof member === "object" && member !== null) setOwn(encoded, key, revive(member));
  }
  return encoded;
}

const corrupt = (cause?: unknown): MemoryError =>
  new MemoryError("STORE_CORRUPT", "A stored state holds something that is never written.", { cause });

function reviveMarked(mark: string, parts: Encoded | undefined): unknown {
  if (mark !== MARK) {
    throw new MemoryError("STORE_NEWER", "A stored state was written by a newer version of @throughline/langgraph.");
  }
  if (!Array.isArray(parts)) throw corrupt();
  const [tag, first, second, third] = parts;
  if (typeof tag !== "string") throw corrupt();
  if (tag.startsWith("M")) {
    const fields = members(first);
    const message = makeMessage(tag.slice(1), second === undefined ? fields : { ...members(second), ...fields });
    if (message === undefined) throw corrupt();
    return message;
  }
  switch (tag) {
    case "u":
      return undefined;
    case "f":
      return first === "-0" ? -0 : first === "Infinity" ? Infinity : first === "-Infinity" ? -Infinity : Number.NaN;
    case "n":
      return BigInt(digits(first));
    case "d":
      return new Date(typeof first === "number" ? first : Number.NaN);
    case "m":
      return new Map(list(first).map((entry) => pair(entry)));
    case "s":
      return new Set(list(first).map(revive));
    case "r":
      return regularExpression(text(first), text(second), third);
    case "l":
      return url(text(first));
    case "e":
      return makeError(members(first));
    case "b": {
      const bytes = decodeBinary(text(first), text(second));
      if (bytes === undefined) throw corrupt();
      return bytes;
    }
    case "a":
      return sparse(first, list(second));
    case "o":
    case "0": {
      const object: Members = tag === "0" ? Object.create(null) : {};
      for (const entry of list(first)) {
        const [key, value] = pair(entry);
        setOwn(object, text(key), value);
      }
      return object;
    }
    default: {
      const host = Object.hasOwn(HOST_VALUES, tag) ? HOST_VALUES[tag] : undefined;
      if (host === undefined) throw corrupt();
      return host.make(members(first));
    }
  }
}

function members(encoded: Encoded | undefined): Members {
  if (encoded === undefined) return {};
  if (typeof encoded !== "object" || encoded === null || Array.isArray(encoded)) throw corrupt();
  for (const key in encoded) {
    const member = encoded[key];
    if (typeof member === "object" && member !== null) setOwn(encoded, key, revive(member));
  }
  return encoded;
}

function list(encoded: Encoded | undefined): Encoded[] {
  if (!Array.isArray(encoded)) throw corrupt();
  return encoded;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw corrupt();
  return value;
}

function digits(value: unknown): string {
  if (typeof value !== "string" || !/^-?\d+$/.test(value)) throw corrupt();
  return value;
}

function pair(encoded: Encoded): [unknown, unknown] {
  const [key, value] = list(encoded);
  if (key === undefined || value === undefined) throw corrupt();
  return [revive(key), revive(value)];
}

function regularExpression(source: string, flags: string, lastIndex: Encoded | undefined): RegExp {
  try {
    const expression = new RegExp(source, flags);
    if (typeof lastIndex === "number") expression.lastIndex = lastIndex;
    return expression;
  } catch {
    throw corrupt();
  }
}

function url(href: string): URL {
  const parsed = URL.parse(href);
  if (parsed === null) throw corrupt();
  return parsed;
}

/** An array with holes, or with members besides its items. */
function sparse(length: Encoded | undefined, entries: readonly Encoded[]): unknown[] {
  if (typeof length !== "number" || !Number.isInteger(length) || length < 0 || length >= 2 ** 32) throw corrupt();
  const array: unknown[] = [];
  array.length = length;
  for (const entry of entries) {
    const [key, value] = pair(entry);
    if (text(key) === "length") throw corrupt();
    setOwn(array, text(key), value);
  }
  return array;
}
