/** Year, month, day and weekday (0: Sunday) of a moment in a time zone. */
export interface LocalDay {
  year: number;
  month: number;
  day: number;
  weekday: number;
}

/** A zone that the runtime knows; another one for any other. */
export function knownZone(zone: string | undefined, otherwise = "UTC"): string {
  if (zone === undefined) return otherwise;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return otherwise;
  }
}

/** The day that a moment (ISO 8601) falls on in a time zone. */
export function localDay(at: string, zone: string): LocalDay {
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone: knownZone(zone),
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  const parts = new Map(format.formatToParts(new Date(at)).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day] = [parts.get("year") ?? 1970, parts.get("month") ?? 1, parts.get("day") ?? 1];
  return { year, month, day, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() };
}

/** A moment as a model is told it, for example `"Monday, 2 March 2026 at 10:05 (Europe/Lisbon)"`. */
export function localTime(at: string, zone: string): string {
  const timeZone = knownZone(zone);
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "full", timeStyle: "short" });
  return `${format.format(new Date(at))} (${timeZone})`;
}
