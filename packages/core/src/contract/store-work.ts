/** Asks for conversations with derived work due. */
export interface WorkClaim {
  /** Names this worker; unique among processes. */
  holder: string;
  now: string;
  /** How long the lease holds, in milliseconds. */
  leaseMs: number;
  limit: number;
  /** Only this conversation. */
  conversation?: string;
}

/** What came of the work on one conversation. */
export interface WorkSettlement {
  /** The worker that holds the lease on it. */
  holder: string;
  /** Through which sequence number each kind of work is done. */
  watermarks?: Readonly<Record<string, number>>;
  /** Through which sequence number nothing is due any more. */
  settledSeq?: number;
  /** Give the lease up. @default true */
  release?: boolean;
}

/** A named lease for work that one process does at a time. */
export interface Lease {
  name: string;
  /** Names who wants it; unique among processes. */
  holder: string;
  now: string;
  leaseMs: number;
}
