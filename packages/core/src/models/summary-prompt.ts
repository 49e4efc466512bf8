import { escapeLine, escapeStored } from "../prompt/escape.ts";
import type { SummaryPiece } from "./summary-pieces.ts";

/** What a model is given to fold: the summary so far and the turns, escaped so that neither can end its own tag. */
export function summaryPrompt(previous: string | null, pieces: readonly SummaryPiece[]): string {
  const before = previous === null ? "" : `<summary-so-far>\n${escapeStored(previous)}\n</summary-so-far>\n`;
  const lines: string[] = [];
  let day = "";
  for (const { who, at, text } of pieces) {
    if (at !== day) lines.push(`<date>${escapeLine(at)}</date>`);
    day = at;
    const name = who.name === undefined ? "" : ` name="${escapeLine(who.name).replaceAll('"', "&quot;")}"`;
    lines.push(`<${who.role}${name}>${escapeStored(text)}</${who.role}>`);
  }
  return `${before}<turns>\n${lines.join("\n")}\n</turns>\n\nWrite the new summary.`;
}
