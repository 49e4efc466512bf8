import type { Fact, Json } from "@throughline/core";

/** One thing that a working memory says. */
export interface WorkingEntry {
  key?: string;
  value: Json;
}

/** Facts as Mastra shows a working memory: a list in Markdown; `null` where there is none. */
export function toWorkingMemory(facts: readonly Pick<Fact, "key" | "value">[]): string | null {
  if (facts.length === 0) return null;
  return facts.map(({ key, value }) => `- ${key === undefined ? "" : `**${key}**: `}${textOf(value)}`).join("\n");
}

const textOf = (value: Json): string =>
  typeof value === "string" ? value.replaceAll("\n", " ") : JSON.stringify(value);

/**
 * What a working memory says: members of an object, or lines of Markdown. A line under a second or deeper heading is keyed
 * by both. What is left empty, as templates have it, says nothing.
 */
export function readWorkingMemory(text: string): WorkingEntry[] {
  const members = readObject(text);
  if (members !== null) {
    return Object.entries(members).flatMap(([key, value]) => (isEmpty(value) ? [] : [{ key, value }]));
  }
  let section = "";
  return text.split("\n").flatMap((line): WorkingEntry[] => {
    const [, level = "", heading] = /^(#+)\s+(.*)$/.exec(line) ?? [];
    if (heading !== undefined) {
      section = level.length > 1 ? heading.trim() : "";
      return [];
    }
    const said = line.replace(/^\s*(?:[-*+]|\d+\.)\s+/, "").trim();
    const [, label, value = ""] = /^\*{0,2}([^:*]{1,60}?)\*{0,2}:\*{0,2}(?:\s+(.*))?$/.exec(said) ?? [];
    if (label === undefined) return said === "" ? [] : [{ value: said }];
    const key = section === "" ? label.trim() : `${section} ${label.trim()}`;
    return value.trim() === "" ? [] : [{ key, value: value.trim() }];
  });
}

const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

function readObject(text: string): { [key: string]: Json } | null {
  try {
    const value: unknown = JSON.parse(text);
    // What was parsed is JSON.
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as { [key: string]: Json })
      : null;
  } catch {
    return null;
  }
}
