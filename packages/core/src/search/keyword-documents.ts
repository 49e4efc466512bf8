import type { KeywordDocument } from "../contract/store-keyword.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { messageText, toolResultText } from "../conversation/message-text.ts";
import { isQuestion } from "../text/is-question.ts";
import { dateTerms } from "./date-terms.ts";
import { messageTerms } from "./message-terms.ts";
import { piecesOf } from "./pieces.ts";
import { atOnce, type Slices } from "./slices.ts";
import { decodePlace, encodePlace, MOST_LEFT, voiceNamed } from "./unit-place.ts";

/** The searchable messages of a turn, long ones in pieces. Paused, failed and hidden turns have none. */
export const keywordDocuments = (turn: TurnRow): KeywordDocument[] => atOnce(keywordDocumentSlices(turn));

/** {@link keywordDocuments} with a pause behind each piece: a turn may be as long as a book. */
export function* keywordDocumentSlices(turn: TurnRow): Slices<KeywordDocument[]> {
  if (turn.hidden || (turn.status !== "completed" && turn.status !== "aborted")) return [];
  const documents: KeywordDocument[] = [];
  for (const [position, message] of turn.messages.entries()) {
    // What the memory itself put there was said already; finding it again would echo it.
    if (message.origin === "memory") continue;
    const { id, role, createdAt } = message;
    const said = role === "user" || role === "assistant" ? messageText(message) : "";
    const place = { turn: turn.id, seq: turn.seq, position, message: id, role, createdAt };
    const asks = role === "user" && isQuestion(said) && !isAnswered(turn, position);
    for (const piece of piecesOf(said)) {
      addDocument(documents, { ...place, group: "said" }, { text: piece, name: message.name, asks });
      yield;
    }
    for (const piece of piecesOf(toolResultText(message))) {
      addDocument(documents, { ...place, group: "tool" }, { text: piece, name: undefined, asks: false });
      yield;
    }
  }
  documents.slice(-MOST_LEFT).forEach((document, index, last) => {
    document.place = encodePlace({ ...decodePlace(document.place), left: last.length - 1 - index });
  });
  return documents;
}

function addDocument(
  documents: KeywordDocument[],
  place: Omit<KeywordDocument, "place" | "length" | "terms">,
  { text, name, asks }: { text: string; name: string | undefined; asks: boolean },
): void {
  const { terms, length } = messageTerms(name === undefined ? text : `${name}\n${text}`);
  if (length === 0 || text.trim() === "") return;
  // When it was said is found as words are, and makes no text longer.
  for (const term of dateTerms(place.createdAt)) terms.set(term, 1);
  const slot = documents.length;
  const { seq, role } = place;
  documents.push({
    ...place,
    place: encodePlace({ seq, slot, role, voice: voiceNamed(name), asks, left: MOST_LEFT }),
    length,
    terms: [...terms],
  });
}

/** The agent says something to it in the same turn: what was asked of it says what the person is about. */
const isAnswered = (turn: TurnRow, position: number): boolean =>
  turn.messages.slice(position + 1).some((message) => message.role === "assistant");
