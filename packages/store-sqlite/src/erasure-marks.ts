import { createHash } from "node:crypto";
import type { Session } from "./session.ts";

/** Whose erasure is remembered. Without an agent: a subject's `global` facts. */
export type ErasureMark = readonly [tenant: string, agent: string | null, kind: "conversation" | "subject", id: string];

/** Remembers an erasure, as a hash: the id itself is gone too. */
export function markErased(session: Session, mark: ErasureMark, at: string): void {
  session.run(
    "INSERT INTO erasure (mark, at) VALUES (?, ?) ON CONFLICT (mark) DO UPDATE SET at = max(at, excluded.at)",
    digest(mark),
    at,
  );
}

/** The time of the latest of these erasures; `null` where there was none. */
export function erasedAt(session: Session, marks: readonly ErasureMark[]): string | null {
  // Most files never saw an erasure: no hash is made for those.
  if (session.row("SELECT 1 FROM erasure LIMIT 1") === undefined) return null;
  let latest: string | null = null;
  for (const mark of marks) {
    const [at] = session.row<[string]>("SELECT at FROM erasure WHERE mark = ?", digest(mark)) ?? [];
    if (at !== undefined && (latest === null || at > latest)) latest = at;
  }
  return latest;
}

function digest(mark: ErasureMark): Uint8Array {
  return createHash("sha256").update(JSON.stringify(mark)).digest();
}
