import type { AgentOwner, KeywordScope, NearMessage, VectorQuery } from "@throughline/core";
import { compareNear, dotProduct } from "@throughline/core/store-kit";
import { toBytes } from "../bytes.ts";
import { Parameters, type Session } from "../session.ts";
import { candidatesOf, PLACE, type PlaceRow, toNear } from "./near-rows.ts";

/** Vectors read at once: the process has about a megabyte of them at a time, and the event loop its turn in between. */
const PAGE = 500;

type PageRow = PlaceRow & { stamp: unknown; v: unknown };
const BY_CONVERSATION = ["conversation", "seq", "message"] as const;
const BY_SUBJECT = ["stamp", ...BY_CONVERSATION] as const;

/** The nearest where the database has no pgvector: the owner's vectors are read and compared here. */
export async function scanBytes(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  query: VectorQuery,
): Promise<NearMessage[]> {
  const limit = Math.max(0, query.limit);
  let best: NearMessage[] = [];
  // In the order of the index that finds them, so that no page is sorted out of all. What is written meanwhile may come twice.
  const order = scope.kind === "subject" ? BY_SUBJECT : BY_CONVERSATION;
  const columns = order.map((column) => `d.${column}`).join(", ");
  for (let last: PageRow | undefined; ; ) {
    const parameters = new Parameters();
    const where = candidatesOf(parameters, owner, scope, query);
    const behind: string =
      last === undefined
        ? ""
        : `AND (${columns}) > (${order.map((column) => parameters.add(last?.[column])).join(", ")})`;
    // Of a column that has become pgvector's meanwhile there is no such part: an error, and no wrong answer.
    const page = await session.rows<PageRow>(
      `SELECT ${PLACE}, d.stamp, substr(d.v, 1) AS v FROM #vector d WHERE ${where} ${behind}
        ORDER BY ${columns} LIMIT ${PAGE}`,
      ...parameters.values,
    );
    for (const row of page) {
      const bytes = toBytes(row.v);
      const score = dotProduct(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4), query.vector);
      if (score >= query.floor) best.push(toNear(row, score));
    }
    if (best.length > 4 * limit + PAGE) best = best.sort(compareNear).slice(0, limit);
    last = page.at(-1);
    if (page.length < PAGE) return best.sort(compareNear).slice(0, limit);
  }
}
