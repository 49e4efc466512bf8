import type { CallOptions } from "../contract/memory-store.ts";

/** `{ signal }` where there is one. */
export const callOf = (signal: AbortSignal | undefined): CallOptions => (signal === undefined ? {} : { signal });
