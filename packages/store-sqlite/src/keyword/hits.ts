import type { AgentOwner, HitQuery, HitRows } from "@throughline/core";
import { findTurns } from "../read-turns.ts";
import type { Session } from "../session.ts";
import type { Steps } from "../steps.ts";
import { readDocuments } from "./documents.ts";

/** What a search found: the documents with their turns, which are read for them anyway, and the turns of the places. */
export function* readHits(session: Session, owner: AgentOwner, { documents, places }: HitQuery): Steps<HitRows> {
  const found = yield* readDocuments(session, owner, documents);
  if (places.length === 0) return found;
  const isThere = new Set(found.turns.map(({ conversation, seq }) => `${seq} ${conversation}`));
  const others = yield* findTurns(session, owner, places);
  const more = others.filter(({ conversation, seq }) => !isThere.has(`${seq} ${conversation}`));
  return { documents: found.documents, turns: [...found.turns, ...more] };
}
