import type { Receipt } from "../contract/outcome.ts";

/** Adds counts up, per kind. */
function add(total: Record<string, number>, counts: Readonly<Record<string, number>> = {}): void {
  for (const [kind, count] of Object.entries(counts)) total[kind] = (total[kind] ?? 0) + count;
}

/** Several erasures as one: counts added up, residue named once. */
export function mergeReceipts(receipts: readonly Receipt[]): Receipt {
  const removed: Record<string, number> = {};
  const kept: Record<string, number> = {};
  const residue = new Map<string, Receipt["residue"][number]>();
  for (const receipt of receipts) {
    add(removed, receipt.removed);
    add(kept, receipt.kept);
    for (const entry of receipt.residue) residue.set(`${entry.what}\n${entry.why}`, entry);
  }
  return { removed, residue: [...residue.values()], ...(Object.keys(kept).length === 0 ? {} : { kept }) };
}
