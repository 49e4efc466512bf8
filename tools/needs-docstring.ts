import type { PublicName } from "./describe-declaration.ts";

/**
 * Words that say what they name: those of the glossary in ARCHITECTURE.md and what every reader knows. A number under the
 * plural of one is a count.
 */
const plainWords: ReadonlySet<string> = new Set(
  [
    "tenant agent subject login conversation turn message transcript history summary fact origin candidate record",
    "checkpoint artifact policy identity event parent",
    "id key value text title name namespace topic tag type kind url media-type query quote term prefix byte code reason",
    "metadata call-id tool input output instruction body role agent-name row hit item",
  ]
    .join(" ")
    .split(" ")
    .map((word) => word.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())),
);
const unit = /(Ms|Tokens|Chars|Bytes)$/;
/** Words of the contracts that mean the same wherever they stand: a turn's sequence number, a most, an estimate, a moment. */
const contractWords = /^(seq|limit|tokens|counted|now|cursor|signal|generation)$/;

/**
 * Whether a name must have a docstring: what isn't a member always; a member unless its type is made of literals, is one
 * named type (which has its own), or its name is a plain word, a moment (`…At`), a size or a duration with its unit.
 * Functions and booleans always: what they do, and what their absence means, no name says.
 */
export function needsDocstring({ name, type }: Pick<PublicName, "name" | "type">): boolean {
  if (type === null) return true;
  const own = name.slice(name.lastIndexOf(".") + 1);
  if (contractWords.test(own)) return false;
  const parts = type
    .replace(/\breadonly\s+|\s*\|\s*(undefined|null)\b|[[\]()]/g, "")
    .split("|")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length > 0 && parts.every((part) => /^("[^"]*"|true|-?\d+)$/.test(part))) return false;
  if (parts.length > 0 && parts.every((part) => part === "number")) return !(unit.test(own) || isCount(own));
  if (parts.includes("boolean") || type.includes("=>")) return true;
  if (
    parts.length === 1 &&
    /^[A-Z]\w+$/.test(parts[0] ?? "") &&
    !/^(Date|RegExp|Json|JsonObject|URL)$/.test(parts[0] ?? "")
  )
    return false;
  return !(plainWords.has(own) || plainWords.has(singularOf(own)) || own.endsWith("At"));
}

const isCount = (name: string) => name !== singularOf(name) && plainWords.has(singularOf(name));

function singularOf(name: string): string {
  if (name === "summaries") return "summary";
  if (name === "identities") return "identity";
  return name.replace(/s$/, "");
}
