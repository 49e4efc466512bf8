import type { AgentOwner, KeywordScope, NearMessage, VectorModel, VectorQuery } from "@throughline/core";
import { Parameters, type Session } from "../session.ts";
import { toInteger } from "../text.ts";
import { candidatesOf, PLACE, type PlaceRow, toNearest } from "./near-rows.ts";
import { scansIteratively, type VectorColumn } from "./vector-column.ts";
import { indexedType, indexName, vectorText } from "./vector-model.ts";

type Pgvector = Extract<VectorColumn, { kind: "pgvector" }>;

/** Candidates up to which all of them are compared, whatever there is to be had. */
const EXACT_UP_TO = 10_000;
/** What passing one vector on a walk through an index costs, in comparisons of one that is simply read. Measured. */
const WALK_COST = 11;
/** Vectors that a walk passes at most; one that ends there without enough is done again by comparing all. */
const LONGEST_WALK = 50_000;

/** How many a walk brings: it comes by the nearest in about their order, so that those just behind have to be seen too. */
const broughtFor = (limit: number): number => 2 * Math.max(200, limit);

/**
 * From how many candidates on a walk through an HNSW index of so many vectors is worth it. The index is everybody's, and the
 * walk goes on until enough candidates have come by: the smaller their part of it, the longer. Comparing all of them costs
 * less below that, and loses none.
 */
export function walkFrom(indexed: number, limit: number): number {
  return 1 + Math.max(EXACT_UP_TO, Math.ceil(Math.sqrt(WALK_COST * broughtFor(limit) * Math.max(0, indexed))));
}

/** The nearest, all of the scope's vectors compared. */
export async function searchExactly(
  session: Session,
  { schema }: Pgvector,
  owner: AgentOwner,
  scope: KeywordScope,
  query: VectorQuery,
): Promise<NearMessage[]> {
  const parameters = new Parameters();
  const where = candidatesOf(parameters, owner, scope, query);
  // A query of its own, so that the text is read once whatever the plan. The column as it stands fits no HNSW index.
  const vector = `(SELECT ${parameters.add(vectorText(query.vector))}::text::${schema}.vector)`;
  const rows = await session.rows<PlaceRow & { score: unknown }>(
    `SELECT ${PLACE}, -(d.v OPERATOR(${schema}.<#>) ${vector}) AS score FROM #vector d WHERE ${where}
      ORDER BY score DESC, created_at DESC, conversation, seq, position LIMIT ${limitOf(query)}`,
    ...parameters.values,
  );
  return toNearest(rows, query);
}

/** True where the model's vectors have an index that can be walked past what a filter leaves out. */
export function hasIndex({ version, indexes }: Pgvector, model: VectorModel): boolean {
  return scansIteratively(version) && indexes.has(indexName(model));
}

/** True where there are so many candidates, the filters applied, that the index finds the nearest sooner. */
export async function isWalkWorthIt(
  session: Session,
  { indexes }: Pgvector,
  owner: AgentOwner,
  scope: KeywordScope,
  query: VectorQuery,
): Promise<boolean> {
  const from = walkFrom(indexes.get(indexName(query.model)) ?? 0, limitOf(query));
  const parameters = new Parameters();
  const where = candidatesOf(parameters, owner, scope, query);
  const row = await session.row<{ count: unknown }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM #vector d WHERE ${where} LIMIT ${from}) c`,
    ...parameters.values,
  );
  return Number(row?.count ?? 0) >= from;
}

/** The nearest by an HNSW index, in a transaction: what is set for the walk ends with it. */
export async function searchIndex(
  session: Session,
  column: Pgvector,
  owner: AgentOwner,
  scope: KeywordScope,
  query: VectorQuery,
): Promise<NearMessage[]> {
  const { schema } = column;
  const limit = limitOf(query);
  const indexed = indexedType(query.model, schema);
  if (indexed === null) return searchExactly(session, column, owner, scope, query);
  // Without sorting, the index is the way to get the order; and without iterating, a filter would leave next to nothing.
  await session.run(
    `SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true),
      set_config('hnsw.max_scan_tuples', '${LONGEST_WALK}', true), set_config('hnsw.scan_mem_multiplier', '8', true),
      set_config('enable_sort', 'off', true)`,
    String(Math.min(1_000, Math.max(200, limit))),
  );
  const parameters = new Parameters();
  const where = candidatesOf(parameters, owner, scope, query);
  const vector = `${parameters.add(vectorText(query.vector))}::text::${schema}.vector`;
  const rows = await session.rows<PlaceRow & { score: unknown }>(
    `SELECT ${PLACE}, -(d.v OPERATOR(${schema}.<#>) (SELECT ${vector})) AS score FROM #vector d WHERE ${where}
      ORDER BY (d.v::${indexed.type}) OPERATOR(${schema}.<#>) (${vector}::${indexed.type}) LIMIT ${broughtFor(limit)}`,
    ...parameters.values,
  );
  if (rows.length >= broughtFor(limit)) return toNearest(rows, query).slice(0, limit);
  // The walk came to its end before it had seen enough.
  await session.run("SELECT set_config('enable_sort', 'on', true)");
  return searchExactly(session, column, owner, scope, query);
}

const limitOf = ({ limit }: VectorQuery): number => Math.max(0, toInteger(limit));
