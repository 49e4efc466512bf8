import { type JsonObject, toJson } from "@throughline/core";
import { isSameJson } from "./json.ts";
import type { Invocation, RowContent, RowPart } from "./rows.ts";

/*
 * Mastra keeps some of what parts say a second time beside them. Such a copy is not stored: the rule that makes it again
 * is, so that what is erased from the parts is gone from the copy as well.
 */

const textsOf = (parts: readonly RowPart[]): string[] =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : []));

const TEXT_RULES = {
  last: (parts: readonly RowPart[]) => textsOf(parts).at(-1),
  all: (parts: readonly RowPart[]) => textsOf(parts).join(""),
  lines: (parts: readonly RowPart[]) => textsOf(parts).join("\n"),
};

const invocationsOf = (parts: readonly RowPart[]): Invocation[] =>
  parts.flatMap((part) => (part.type === "tool-invocation" ? [part.toolInvocation] : []));

const CALL_RULES = {
  all: invocationsOf,
  settled: (parts: readonly RowPart[]) => invocationsOf(parts).filter(({ state }) => state === "result"),
};

const REASONING_RULES = {
  all: (parts: readonly RowPart[]) =>
    parts.map((part) => (part.type === "reasoning" ? part.reasoning : "")).join("") || undefined,
};

const FILE_RULES = {
  all: (parts: readonly RowPart[]) =>
    parts.flatMap((part) => (part.type === "file" ? [{ url: part.data, contentType: part.mimeType }] : [])),
};

const RULES = {
  content: TEXT_RULES,
  toolInvocations: CALL_RULES,
  reasoning: REASONING_RULES,
  experimental_attachments: FILE_RULES,
};

/** Its parts hold the files that stand beside them. */
export const hasFilesTwice = ({ parts, experimental_attachments: beside }: RowContent): boolean =>
  beside !== undefined && isSameJson(FILE_RULES.all(parts), beside);

/** The rule by which each copy follows from the parts; a copy that says something of its own, as it is. */
export function readCopies(content: RowContent): JsonObject | undefined {
  const copies: JsonObject = {};
  for (const [member, rules] of Object.entries(RULES)) {
    const value = (content as { [member: string]: unknown })[member];
    if (value === undefined) continue;
    const rule = Object.entries(rules).find(([, make]) => isSameJson(make(content.parts), value));
    // Files that stand nowhere else are parts of their own.
    if (rule === undefined && rules === FILE_RULES) continue;
    copies[member] = rule === undefined ? { own: toJson(value, "A row") } : rule[0];
  }
  return Object.keys(copies).length === 0 ? undefined : copies;
}

/** What {@link readCopies} read, made from the parts as they are now. */
export function writeCopies(copies: JsonObject | undefined, parts: readonly RowPart[]): object {
  const made: { [member: string]: unknown } = {};
  for (const [member, rules] of Object.entries(RULES)) {
    const rule = copies?.[member];
    if (rule === undefined) continue;
    const make =
      typeof rule === "string"
        ? (rules as { [name: string]: (parts: readonly RowPart[]) => unknown })[rule]
        : undefined;
    const value = make === undefined ? (rule as { own?: unknown } | null)?.own : make(parts);
    if (value !== undefined) made[member] = value;
  }
  return made;
}
