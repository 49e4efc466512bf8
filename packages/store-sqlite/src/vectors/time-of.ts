/** A time in milliseconds where it is written as dates write themselves, so that numbers compare as texts do; else NaN. */
export function timeOf(iso: string): number {
  const time = Date.parse(iso);
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? Number.NaN : time;
}
