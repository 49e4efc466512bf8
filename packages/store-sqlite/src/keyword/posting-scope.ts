import type { AgentOwner, KeywordScope } from "@throughline/core";
import { findConversation } from "../conversation-rows.ts";
import { findAgent, findSubject } from "../names.ts";
import type { Session } from "../session.ts";
import type { Pace, Steps } from "../steps.ts";
import { DOCUMENTS_AT_ONCE, eachRow, ROWS_AT_ONCE } from "./each-row.ts";

/** Where a scope's documents are filed, and its statistics. */
export interface Scope {
  buckets: number[];
  /** A conversation whose bucket is shared with others of its subject: only these documents belong to the scope. */
  only: Set<number> | null;
  documents: number;
  totalLength: number;
}

/** The buckets of a scope. */
export function* resolveScope(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  groups: readonly number[],
  pace: Pace,
): Steps<Scope> {
  const agent = findAgent(session, owner);
  const none: Scope = { buckets: [], only: null, documents: 0, totalLength: 0 };
  if (agent === undefined) return none;
  if (scope.kind === "conversation") {
    const { tenant, agent: name } = owner;
    const conversation = findConversation(session, { tenant, agent: name, conversation: scope.conversation });
    return conversation === undefined ? none : yield* conversationScope(session, conversation.ref, groups, pace);
  }
  if (scope.kind === "subject") {
    const bucket = findSubject(session, agent, scope.subject);
    return bucket === undefined ? none : withStatistics(session, none, [bucket], groups);
  }
  let found = none;
  for (let after = 0; ; ) {
    const refs = session
      .rows<[number]>(
        `SELECT ref FROM bucket WHERE agent = ? AND ref > ? ORDER BY ref LIMIT ${ROWS_AT_ONCE}`,
        agent,
        after,
      )
      .map(([ref]) => ref);
    found = withStatistics(session, found, refs, groups);
    if (pace.isOver) yield* pace.pause();
    const last = refs.at(-1);
    if (last === undefined || refs.length < ROWS_AT_ONCE) return found;
    after = last;
  }
}

function withStatistics(session: Session, scope: Scope, buckets: readonly number[], groups: readonly number[]): Scope {
  let { documents, totalLength } = scope;
  for (const bucket of buckets) {
    const [said = 0, saidLength = 0, tools = 0, toolLength = 0] =
      session.row<[number, number, number, number]>(
        "SELECT said_documents, said_length, tool_documents, tool_length FROM bucket WHERE ref = ?",
        bucket,
      ) ?? [];
    if (groups.includes(0)) {
      documents += said;
      totalLength += saidLength;
    }
    if (groups.includes(1)) {
      documents += tools;
      totalLength += toolLength;
    }
  }
  return { buckets: [...scope.buckets, ...buckets], only: scope.only, documents, totalLength };
}

/** The documents of one conversation, in whichever buckets they are filed. */
function* conversationScope(
  session: Session,
  conversation: number,
  groups: readonly number[],
  pace: Pace,
): Steps<Scope> {
  const buckets = new Set<number>();
  const only = new Set<number>();
  let totalLength = 0;
  yield* eachRow<[ref: number, seq: number, bucket: number, tool: number, length: number]>(
    session,
    (after) => ({
      sql: `SELECT ref, seq, bucket, tool, length FROM document WHERE conversation = ? AND filed = 1 AND (seq, ref) > (?, ?)
        ORDER BY seq, ref LIMIT ${DOCUMENTS_AT_ONCE}`,
      parameters: [conversation, after?.[1] ?? -1, after?.[0] ?? -1],
    }),
    pace,
    ([ref, , bucket, tool, length]) => {
      if (!groups.includes(tool)) return;
      buckets.add(bucket);
      only.add(ref);
      totalLength += length;
    },
  );
  return { buckets: [...buckets], only, documents: only.size, totalLength };
}
