import type { AgentOwner, KeywordScope, PostingQuery, Postings } from "@throughline/core";
import { noPostings } from "@throughline/core/store-kit";
import { agentKey } from "../conversation-rows.ts";
import { Parameters, type Session } from "../session.ts";
import { toInteger, writeText } from "../text.ts";
import { bucketOf, conversationNumber, hash64 } from "./hashes.ts";

interface Found {
  term: string;
  document: string;
  frequency: number;
  length: number;
  conversation: string;
  place: string;
  passes: boolean;
}

/** Statistics of a scope, and where its terms stand. */
export async function readPostings(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  query: PostingQuery,
): Promise<Postings> {
  const hashes = query.terms.map(hash64);
  const terms = query.terms.map(noPostings);
  const parameters = new Parameters();
  const inScope = scopeOf(parameters, owner, scope, query);
  const rows = await session.rows<Found & { documents: string; total_length: string }>(
    `WITH s AS (SELECT count(*) AS documents, coalesce(sum(d.length), 0) AS total_length FROM #document d WHERE ${inScope}),
      p AS (SELECT p.term, p.document, p.frequency, d.length, d.place,
          ${conversationNumber("d.conversation")} AS conversation, (${filterOf(parameters, query)}) AS passes
        FROM #posting p JOIN #document d ON d.tenant = p.tenant AND d.document = p.document
        WHERE p.tenant = $1 AND p.bucket IN (${bucketsOf(parameters, owner, scope)})
          AND p.term = ANY (${parameters.add(hashes)}::bigint[]) AND ${inScope})
      SELECT s.*, p.* FROM s LEFT JOIN p ON true`,
    ...parameters.values,
  );
  const places = new Map(hashes.map((hash, index) => [hash, terms[index]]));
  for (const { term, document, frequency, length, conversation, place, passes } of rows) {
    const found = term === null ? undefined : places.get(String(term));
    if (found === undefined) continue;
    found.documentFrequency += 1;
    if (!passes) continue;
    found.documents.push(Number(document));
    found.frequencies.push(frequency);
    found.lengths.push(length);
    found.conversations.push(Number(conversation));
    found.places.push(Number(place));
  }
  const [first] = rows;
  return { documents: Number(first?.documents ?? 0), totalLength: Number(first?.total_length ?? 0), terms };
}

/** Which documents count: those of the scope and the groups, of turns that are visible. */
function scopeOf(parameters: Parameters, owner: AgentOwner, scope: KeywordScope, { groups }: PostingQuery): string {
  const [tenant, agent] = agentKey(owner).map((name) => parameters.add(name));
  const where = [`d.tenant = ${tenant} AND d.agent = ${agent} AND d.filed`];
  if (scope.kind === "subject") where.push(`d.subject = ${parameters.add(writeText(scope.subject))}`);
  if (scope.kind === "conversation") where.push(`d.conversation = ${parameters.add(writeText(scope.conversation))}`);
  where.push(`d.tool = ANY (${parameters.add(groups.map((group) => group === "tool"))}::boolean[])`);
  return where.join(" AND ");
}

/** What a query is narrowed by, besides its scope. */
type QueryFilter = Pick<PostingQuery, "role" | "from" | "to" | "conversation" | "exclude">;

/** The same as the functions of the schema take it: six parameters, `null` where nothing is narrowed. */
export function filterParameters({ role, from, to, conversation, exclude }: QueryFilter): unknown[] {
  return [
    role ?? null,
    from ?? null,
    to ?? null,
    conversation === undefined ? null : writeText(conversation),
    exclude === undefined ? null : writeText(exclude.conversation),
    exclude === undefined ? null : toInteger(exclude.after),
  ];
}

/** Which of a scope's documents, or of its vectors, pass the filters of a query. */
export function filterOf(parameters: Parameters, query: QueryFilter): string {
  const { role, from, to, conversation, exclude } = query;
  const filters = ["true"];
  if (role !== undefined) filters.push(`d.role = ${parameters.add(role)}`);
  if (from !== undefined) filters.push(`d.created_at >= ${parameters.add(from)}`);
  if (to !== undefined) filters.push(`d.created_at < ${parameters.add(to)}`);
  if (conversation !== undefined) filters.push(`d.conversation = ${parameters.add(writeText(conversation))}`);
  if (exclude !== undefined) {
    const name = parameters.add(writeText(exclude.conversation));
    filters.push(`NOT (d.conversation = ${name} AND d.seq > ${parameters.add(toInteger(exclude.after))})`);
  }
  return filters.join(" AND ");
}

function bucketsOf(parameters: Parameters, owner: AgentOwner, scope: KeywordScope): string {
  const [, agent] = agentKey(owner);
  if (scope.kind === "subject") {
    return `SELECT ${parameters.add(bucketOf(agent, "", writeText(scope.subject)))}::bigint`;
  }
  const all = "SELECT DISTINCT b.bucket FROM #document b WHERE b.tenant = $1 AND b.agent = $2";
  if (scope.kind === "agent") return all;
  return `${all} AND b.conversation = ${parameters.add(writeText(scope.conversation))}`;
}
