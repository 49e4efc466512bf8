import type { Receipt } from "../contract/outcome.ts";
import type { Engine } from "./engine.ts";

/** What came of a write that erases, together with what it left in the bytes. */
export async function withResidue<Result extends { residue?: Receipt["residue"] }>(
  engine: Engine,
  write: Promise<Result>,
): Promise<Result> {
  const result = await write;
  const store = await engine.store();
  const residue = (await store.residue?.()) ?? [];
  return residue.length === 0 ? result : { ...result, residue };
}
