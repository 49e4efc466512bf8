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
  if (zone === "UTC") return zone;
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

/** The day that a moment (ISO 8601) falls on in a time zone, such as `"2026-03-02"`. */
export function localDate(at: string, zone: string): string {
  if (zone === "UTC") return at.slice(0, 10);
  const { year, month, day } = localDay(at, zone);
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The moment (ISO 8601) that a day, such as `"2026-03-02"`, begins at in a time zone. */
export function startOfDay(date: string, zone: string): string {
  const midnight = Date.parse(`${date}T00:00:00.000Z`);
  // The clocks may be changed between the two.
  const near = midnight - ahead(midnight, zone);
  const start = new Date(midnight - ahead(near, zone)).toISOString();
  // Where they are put forward at midnight, the day begins with the hour behind it.
  return localDate(start, zone) < date ? new Date(near).toISOString() : start;
}

/** How far a zone's clocks are ahead of UTC at a moment, in milliseconds. */
function ahead(at: number, zone: string): number {
  const timeZone = knownZone(zone);
  if (timeZone === "UTC") return 0;
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = new Map(format.formatToParts(new Date(at)).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(at / 1_000) * 1_000;
}

/** A moment as a model is told it, for example `"Monday, 2 March 2026 at 10:05 (Europe/Lisbon)"`. */
export function localTime(at: string, zone: string): string {
  const timeZone = knownZone(zone);
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "full", timeStyle: "short" });
  return `${format.format(new Date(at))} (${timeZone})`;
}
