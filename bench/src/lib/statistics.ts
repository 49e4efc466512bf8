/** The value below which `share` of the values lie; values between two are taken as the lower one. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((left, right) => left - right);
  const place = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[place] ?? Number.NaN;
}

/** The middle value; the mean of the two in the middle where there are as many above as below. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The median of pairwise quotients: what two things cost beside each other, round by round. */
export function medianRatio(values: readonly number[], floors: readonly number[]): number {
  if (values.length !== floors.length) throw new RangeError("Each round has one value of each.");
  return median(values.map((value, round) => value / (floors[round] ?? Number.NaN)));
}
