import type { Receipt } from "../contract/outcome.ts";

/** Several erasures as one: counts added up, residue named once. */
export function mergeReceipts(receipts: readonly Receipt[]): Receipt {
  const removed: Record<string, number> = {};
  const residue = new Map<string, Receipt["residue"][number]>();
  for (const receipt of receipts) {
    for (const [kind, count] of Object.entries(receipt.removed)) removed[kind] = (removed[kind] ?? 0) + count;
    for (const entry of receipt.residue) residue.set(`${entry.what}\n${entry.why}`, entry);
  }
  return { removed, residue: [...residue.values()] };
}
