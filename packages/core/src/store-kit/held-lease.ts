/** Who works on something, and until when (ISO 8601) nobody else may. */
export interface HeldLease {
  /** Names the worker that has it. */
  holder: string;
  /** ISO 8601: from this moment on it is anybody's. */
  until: string;
}

/** True where a lease is free, over, or the claimer's own, which a claim renews. Pure. */
export function isLeaseFree(lease: HeldLease | undefined, claim: { holder: string; now: string }): boolean {
  return lease === undefined || lease.until <= claim.now || lease.holder === claim.holder;
}

/** The lease that a claim takes. Pure. */
export function leaseOf(claim: { holder: string; now: string; leaseMs: number }): HeldLease {
  return { holder: claim.holder, until: new Date(Date.parse(claim.now) + claim.leaseMs).toISOString() };
}
