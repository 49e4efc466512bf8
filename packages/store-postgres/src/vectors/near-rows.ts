import type { AgentOwner, KeywordScope, NearMessage, Role, VectorQuery } from "@throughline/core";
import { compareNear } from "@throughline/core/store-kit";
import { agentKey } from "../conversation-rows.ts";
import { filterOf } from "../keyword/postings.ts";
import type { Parameters } from "../session.ts";
import { readText, writeText } from "../text.ts";
import { modelNumber } from "./vector-model.ts";

/** The columns of a place; the score comes beside them. */
export const PLACE = "d.conversation, d.turn, d.seq, d.position, d.message, d.role, d.subject, d.created_at";

/** A row of {@link PLACE}. */
export interface PlaceRow {
  conversation: string;
  turn: string;
  seq: number;
  position: number;
  message: string;
  role: Role;
  subject: string | null;
  created_at: string;
}

/** The message of a row. */
export function toNear(row: PlaceRow, score: number): NearMessage {
  const near: NearMessage = {
    conversation: readText(row.conversation),
    turn: readText(row.turn),
    seq: row.seq,
    position: row.position,
    message: readText(row.message),
    role: row.role,
    createdAt: row.created_at,
    score,
  };
  if (row.subject !== null) near.subject = readText(row.subject);
  return near;
}

/** The messages of rows that reach the query's floor, the nearest first. */
export function toNearest(rows: readonly (PlaceRow & { score: unknown })[], { floor }: VectorQuery): NearMessage[] {
  return rows
    .map((row) => toNear(row, Number(row.score)))
    .filter(({ score }) => score >= floor)
    .sort(compareNear);
}

/** Which vectors are a scope's, of one model, and pass the filters of a query. */
export function candidatesOf(
  parameters: Parameters,
  owner: AgentOwner,
  scope: KeywordScope,
  query: VectorQuery,
): string {
  const [tenant, agent] = agentKey(owner).map((name) => parameters.add(name));
  // The model's number stands in the statement itself: an index of its vectors only fits whatever the plan is kept for.
  const where = [`d.tenant = ${tenant} AND d.agent = ${agent} AND d.model = ${modelNumber(query.model)}::bigint`];
  if (scope.kind === "subject") where.push(`d.subject = ${parameters.add(writeText(scope.subject))}`);
  if (scope.kind === "conversation") where.push(`d.conversation = ${parameters.add(writeText(scope.conversation))}`);
  return [...where, "d.filed", filterOf(parameters, query)].join(" AND ");
}
