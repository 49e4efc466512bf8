import type { NumberKind } from "../checks/numbers.ts";

/** What every model-backed part can be told about its provider and the way there. */
export interface ModelOptions {
  /** @default the provider's environment variable: `OPENAI_API_KEY` or `ANTHROPIC_API_KEY` */
  apiKey?: string;
  /** Where the API answers. A query of the address is kept. @default `OPENAI_BASE_URL` or `ANTHROPIC_BASE_URL`, else the provider's own */
  baseUrl?: string;
  /** Where key, address and model are looked up. @default `process.env` where there is one */
  env?: Record<string, string | undefined>;
  /** Limit of one try, answer included, in milliseconds. @default 30000 */
  timeoutMs?: number;
  /** Further tries after the first, on 408, 409, 429, 5xx, network failures and timeouts. @default 2 */
  maxRetries?: number;
  /** Sent with every request; these win over the part's own. */
  headers?: Record<string, string>;
  /** Further fields of the request's body, for example `{ temperature: 0 }`; these win over the part's own. */
  extraBody?: Record<string, unknown>;
  /** @default the global `fetch`, looked up at each call */
  fetch?: typeof globalThis.fetch;
  /** Waits between tries; may end early once the signal fires. @default a timer */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Jitter of the waits: 0 to 1. @default `Math.random` */
  random?: () => number;
  /** Reads dates of `Retry-After`. @default the system's time */
  clock?: () => Date;
}

/** Default limit of one try, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;
/** Default number of further tries. */
export const DEFAULT_MAX_RETRIES = 2;

/** What the numbers of {@link ModelOptions} may be. */
export const MODEL_NUMBERS = { timeoutMs: "milliseconds", maxRetries: "most" } as const satisfies Record<
  string,
  NumberKind
>;
