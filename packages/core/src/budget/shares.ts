/** What one token budget is split over. */
export type ShareName = "summary" | "facts" | "recall" | "history";

/** A number for each part of the budget. */
export type Shares = Readonly<Record<ShareName, number>>;

/**
 * Who gets what others leave over, first come first served. What closes a gap in the conversation comes first (the
 * summary, then the turns it doesn't hold), what can be asked for again by a tool last.
 */
export const PASS_ON_ORDER: readonly ShareName[] = ["summary", "history", "facts", "recall"];

const whole = (value: number): number => (value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0);

/**
 * Splits `total` tokens: each part is allowed what it wants up to its share, then what is left is passed on in
 * {@link PASS_ON_ORDER} to those that want more. The answer never exceeds what a part wants, and its sum never exceeds
 * `total`. Shares are parts of 1; where they add up to more they are scaled down, to less the rest is passed on. Pure.
 */
export function splitBudget(total: number, shares: Shares, wanted: Shares): Record<ShareName, number> {
  const budget = whole(total);
  const sum = PASS_ON_ORDER.reduce((all, name) => all + Math.max(0, shares[name] || 0), 0);
  const scale = Math.max(1, sum);
  const allowed: Record<ShareName, number> = { summary: 0, facts: 0, recall: 0, history: 0 };
  let left = budget;
  for (const name of PASS_ON_ORDER) {
    const share = whole((Math.max(0, shares[name] || 0) / scale) * budget);
    // Rounding can't take more than there is, whatever the shares.
    allowed[name] = Math.min(share, whole(wanted[name]), left);
    left -= allowed[name];
  }
  for (const name of PASS_ON_ORDER) {
    const more = Math.min(left, whole(wanted[name]) - allowed[name]);
    allowed[name] += more;
    left -= more;
  }
  return allowed;
}
