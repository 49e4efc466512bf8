import type { ArtifactEdit, ArtifactPatchRefusal } from "../contract/artifact.ts";

/** What edits make of a text. */
export type EditedText =
  | { ok: true; text: string }
  | { ok: false; refusal: ArtifactPatchRefusal; edit: number; reason: string };

interface Span {
  edit: number;
  from: number;
  to: number;
  put: string;
}

const refuse = (refusal: ArtifactPatchRefusal, edit: number, reason: string): EditedText & { ok: false } => ({
  ok: false,
  refusal,
  edit,
  reason: `Edit ${edit + 1}: ${reason}`,
});

function findText(text: string, find: string, edit: number): Omit<Span, "put"> | (EditedText & { ok: false }) {
  const from = find === "" ? -1 : text.indexOf(find);
  if (from < 0) {
    return refuse("text-not-found", edit, "the text to find isn't there; copy it exactly, spaces and line breaks too.");
  }
  if (text.indexOf(find, from + 1) >= 0) {
    return refuse("ambiguous", edit, "the text to find is there more than once; add some of what is around it.");
  }
  return { edit, from, to: from + find.length };
}

/** Where each line begins, and the end of the text behind the last. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0 && at + 1 < text.length; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return [...starts, text.length];
}

function findLines(
  text: string,
  starts: readonly number[],
  [first, last]: readonly [number, number],
  edit: number,
): Omit<Span, "put"> | (EditedText & { ok: false }) {
  const from = starts[first - 1];
  const to = starts[last];
  const count = text === "" ? 0 : starts.length - 1;
  if (!(first >= 1 && last >= first && last <= count) || from === undefined || to === undefined) {
    return refuse("no-such-lines", edit, `there are lines 1 to ${count}; give the first and the last one to replace.`);
  }
  return { edit, from, to };
}

/**
 * Applies edits to a text, all or none. All are found in the text as it is given; two that change the same place are
 * refused. A replacement of lines ends as they did. Pure.
 */
export function editText(text: string, edits: readonly ArtifactEdit[]): EditedText {
  const spans: Span[] = [];
  let starts: number[] | null = null;
  for (const [index, edit] of edits.entries()) {
    if ("find" in edit) {
      const found = findText(text, edit.find, index);
      if ("ok" in found) return found;
      spans.push({ ...found, put: edit.replace });
      continue;
    }
    starts ??= lineStarts(text);
    const found = findLines(text, starts, edit.lines, index);
    if ("ok" in found) return found;
    const ends = text[found.to - 1] === "\n" && edit.replace !== "" && !edit.replace.endsWith("\n");
    spans.push({ ...found, put: ends ? `${edit.replace}\n` : edit.replace });
  }
  spans.sort((a, b) => a.from - b.from || a.edit - b.edit);
  let edited = "";
  let at = 0;
  for (const span of spans) {
    if (span.from < at)
      return refuse("overlapping", span.edit, "it changes a place that another edit changes too; make it one edit.");
    edited += text.slice(at, span.from) + span.put;
    at = span.to;
  }
  return { ok: true, text: edited + text.slice(at) };
}
