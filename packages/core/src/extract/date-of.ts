import type { LocalDay } from "./clock-time.ts";
import type { OpenOffset } from "./open-phrases.ts";

const iso = (date: Date): string => date.toISOString().slice(0, 10);

/** The day, week, month or year that a phrase means, said on a day: `2026-02-28`, `2026-02-16/2026-02-22`, `2026-02` or `2025`. Pure. */
export function dateOf({ year, month, day, weekday }: LocalDay, offset: OpenOffset): string {
  const { unit, count, weekday: wanted = 0 } = offset;
  const dayAt = (days: number): string => iso(new Date(Date.UTC(year, month - 1, day + days)));
  // Weeks begin on Monday, as ISO 8601 has them.
  const monday = -((weekday + 6) % 7);
  const weekendAt = (weeks: number): string => `${dayAt(monday + 7 * weeks + 5)}/${dayAt(monday + 7 * weeks + 6)}`;
  if (offset.side === "back") return `${firstOf({ year, month, day }, unit, count)}/${dayAt(0)}`;
  switch (unit) {
    case "day":
      return dayAt(count);
    case "week":
      return `${dayAt(monday + 7 * count)}/${dayAt(monday + 7 * count + 6)}`;
    case "weekend":
      if (Number.isNaN(count)) return weekendAt(weekday === 0 || weekday === 6 ? 0 : -1);
      return weekendAt(count);
    case "month":
      return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 7);
    case "year":
      return String(year + count);
    case "weekday": {
      if (Math.abs(count) === 7) return dayAt(monday + count + ((wanted + 6) % 7));
      const ahead = (wanted - weekday + 7) % 7;
      if (count === 0) return dayAt(ahead);
      return count > 0 ? dayAt(ahead === 0 ? 7 : ahead) : dayAt(ahead === 0 ? -7 : ahead - 7);
    }
  }
}

/** The day so many units before (`count` is below 0) another one. A month may be shorter than that one's number. */
function firstOf({ year, month, day }: Omit<LocalDay, "weekday">, unit: OpenOffset["unit"], count: number): string {
  if (unit === "day" || unit === "week") {
    return iso(new Date(Date.UTC(year, month - 1, day + count * (unit === "week" ? 7 : 1))));
  }
  const months = unit === "month" ? count : 12 * count;
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return iso(new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))));
}
