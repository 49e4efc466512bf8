import type { AgentOwner, KeywordScope } from "@throughline/core";
import { findConversation } from "../conversation-rows.ts";
import { findAgent } from "../names.ts";
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
    const found = session.row<BucketColumns>(`${SELECT_BUCKET} WHERE agent = ? AND subject = ?`, agent, scope.subject);
    return found === undefined ? none : withBuckets(none, [found], groups);
  }
  let found = none;
  for (let after = 0; ; ) {
    const rows = session.rows<BucketColumns>(
      `${SELECT_BUCKET} WHERE agent = ? AND ref > ? ORDER BY ref LIMIT ${ROWS_AT_ONCE}`,
      agent,
      after,
    );
    found = withBuckets(found, rows, groups);
    if (pace.isOver) yield* pace.pause();
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return found;
    after = last[0];
  }
}

const SELECT_BUCKET = "SELECT ref, said_documents, said_length, tool_documents, tool_length FROM bucket";
type BucketColumns = [ref: number, said: number, saidLength: number, tools: number, toolLength: number];

function withBuckets(scope: Scope, rows: readonly BucketColumns[], groups: readonly number[]): Scope {
  let { documents, totalLength } = scope;
  for (const [, said, saidLength, tools, toolLength] of rows) {
    if (groups.includes(0)) {
      documents += said;
      totalLength += saidLength;
    }
    if (groups.includes(1)) {
      documents += tools;
      totalLength += toolLength;
    }
  }
  return { buckets: [...scope.buckets, ...rows.map(([ref]) => ref)], only: scope.only, documents, totalLength };
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
