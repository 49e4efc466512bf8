/** Longest wait that a provider's `Retry-After` is given, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 30_000;

const FIRST_WAIT_MS = 500;
const MAX_BACKOFF_MS = 8_000;

/** Statuses after which the same request may succeed. */
const isRetryableStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500;

/** Codes of a full account: asking again soon changes nothing. */
const OUT_OF_QUOTA = new Set(["insufficient_quota", "billing_hard_limit_reached", "billing_error"]);

/** Whether to try again after an error status. A provider's `x-should-retry` decides where it is sent. */
export function shouldRetry(status: number, headers: Headers, code: string | undefined): boolean {
  const told = headers.get("x-should-retry");
  if (told === "true" || told === "false") return told === "true";
  return isRetryableStatus(status) && !(code !== undefined && OUT_OF_QUOTA.has(code));
}

/**
 * Milliseconds to wait before the next try: what the provider asks for (`Retry-After` in seconds or as a date,
 * `retry-after-ms`), at most 30 seconds; else 0.5 seconds, doubled each time up to 8, less a random part of up to half.
 */
export function retryWaitMs(
  tries: number,
  { headers, now, random }: { headers: Headers | null; now: Date; random: () => number },
): number {
  const asked = headers === null ? null : askedWaitMs(headers, now);
  if (asked !== null) return Math.min(asked, MAX_RETRY_AFTER_MS);
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_BACKOFF_MS) * (1 - random() / 2);
}

function askedWaitMs(headers: Headers, now: Date): number | null {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers.get("retry-after")?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
