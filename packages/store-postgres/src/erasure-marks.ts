import type { Session } from "./session.ts";

/** Whose erasure is remembered, as columns hold the names. The agent is '' for a subject's `global` facts. */
export interface ErasureMark {
  agent: string;
  kind: "conversation" | "subject";
  id: string;
}

const MARKS =
  "SELECT $1, #mark(m.agent, m.kind, m.id) FROM unnest($2::text[], $3::text[], $4::text[]) m (agent, kind, id)";

function columnsOf(marks: readonly ErasureMark[]): [string[], string[], string[]] {
  return [marks.map(({ agent }) => agent), marks.map(({ kind }) => kind), marks.map(({ id }) => id)];
}

/** Remembers erasures, as hashes: the names themselves are gone too. The latest counts. */
export async function markErased(
  session: Session,
  tenant: string,
  marks: readonly ErasureMark[],
  at: string,
): Promise<void> {
  await session.run(
    `INSERT INTO #erasure AS e (tenant, mark, at) SELECT m.*, $5 FROM (${MARKS} ORDER BY 2) m
      ON CONFLICT (tenant, mark) DO UPDATE SET at = greatest(e.at, excluded.at)`,
    tenant,
    ...columnsOf(marks),
    at,
  );
}

/**
 * The time of the latest of these erasures; `null` where there was none. Until the transaction ends none of them is
 * erased by another.
 */
export async function lockErasures(
  session: Session,
  tenant: string,
  marks: readonly ErasureMark[],
): Promise<string | null> {
  await session.run(
    `INSERT INTO #erasure (tenant, mark, at) SELECT m.*, '' FROM (${MARKS} ORDER BY 2) m ON CONFLICT DO NOTHING`,
    tenant,
    ...columnsOf(marks),
  );
  const rows = await session.rows<{ at: string }>(
    `SELECT at FROM #erasure WHERE (tenant, mark) IN (${MARKS}) FOR SHARE`,
    tenant,
    ...columnsOf(marks),
  );
  // An empty time sorts before every other, and says that there was no erasure.
  return rows.reduce<string | null>((latest, { at }) => later(latest, at === "" ? null : at), null);
}

/** The later of two times. */
export function later(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return left > right ? left : right;
}
