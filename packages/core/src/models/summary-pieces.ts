import type { Json } from "../contract/json.ts";
import type { Message, Part, Turn } from "../contract/message.ts";
import { isMemoryTool } from "../tools/tool-names.ts";

/** How freely a piece may be shortened, the first most freely. */
export const SHORTENING_ORDER = ["tool-result", "tool-call", "system", "assistant", "user"] as const;

/** Who or what a piece comes from. */
export type PieceRole = (typeof SHORTENING_ORDER)[number];

/** One text that a model is given to fold. */
export interface SummaryPiece {
  who: { role: PieceRole; name?: string };
  /** `YYYY-MM-DD`. */
  at: string;
  text: string;
}

/**
 * The texts of turns in order. Left out: reasoning, what memory itself put in or answered (it was said before and is
 * not said again), and messages without text. Files, sources and approvals are told in a few words.
 */
export function summaryPieces(turns: readonly Turn[]): SummaryPiece[] {
  return turns.flatMap(({ messages }) => messages.flatMap(piecesOf));
}

function piecesOf(message: Message): SummaryPiece[] {
  if (message.origin === "memory") return [];
  const at = message.createdAt.slice(0, 10);
  const role = message.role === "tool" ? "tool-result" : message.role;
  const pieces: SummaryPiece[] = [];
  let said: string[] = [];
  const endSaid = () => {
    const text = said.join("\n").trim();
    const { name } = message;
    if (text !== "") pieces.push({ who: { role, ...(name === undefined ? {} : { name }) }, at, text });
    said = [];
  };
  for (const part of message.parts) {
    if (part.type === "tool-call" || part.type === "tool-result") {
      if (isMemoryTool(part.tool)) continue;
      endSaid();
      const text = part.type === "tool-call" ? jsonText(part.input) : resultText(part.output);
      pieces.push({ who: { role: part.type, name: part.tool }, at, text });
    } else said.push(partText(part));
  }
  endSaid();
  return pieces;
}

function partText(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "file":
      return `[file: ${part.name ?? part.mediaType}]`;
    case "source":
      return `[source: ${part.title ?? part.url ?? part.name ?? ""}]`;
    case "approval":
      return part.state === "requested" ? "" : `[call ${part.state}${part.reason ? `: ${part.reason}` : ""}]`;
    default:
      return "";
  }
}

const jsonText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A result in parts is told by its parts; their data would be noise. */
function resultText(output: Json | Part[]): string {
  const parts = Array.isArray(output) ? output.map(asPart) : null;
  if (parts?.every((part) => part !== null)) return parts.map(partText).filter(Boolean).join("\n");
  // Parts were dealt with above, so this is plain JSON.
  return jsonText(output as Json);
}

function asPart(value: Json | Part): Part | null {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !("type" in value)) return null;
  // The two kinds a tool answers with; anything else is the tool's own JSON.
  if (value.type === "text" && typeof value.text === "string") return value as Part;
  return value.type === "file" && typeof value.mediaType === "string" ? (value as Part) : null;
}
