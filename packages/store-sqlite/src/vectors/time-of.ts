/** As dates write themselves, on a day that every month has: that needs no second look. */
const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** A time in milliseconds where it is written as dates write themselves, so that numbers compare as texts do; else NaN. */
export function timeOf(iso: string): number {
  const time = Date.parse(iso);
  if (PLAIN.test(iso)) return time;
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? Number.NaN : time;
}
