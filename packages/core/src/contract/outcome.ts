/** What became of a write. Malformed input throws; a refusal by policy is an outcome. */
export type OutcomeStatus = "stored" | "merged" | "superseded" | "unchanged" | "refused" | "quarantined" | "failed";

/** The typed answer to every write (nothing is lost silently). */
export interface Outcome {
  status: OutcomeStatus;
  /** Id of the turn, fact or record written. */
  id?: string;
  /** A code of the error table where `status` is `refused` or `failed`. */
  code?: string;
  /** One sentence for people: why, and what to do. */
  reason?: string;
  /** A later try may succeed. */
  retryable?: boolean;
  /** Ids of facts that made room for this one. */
  evicted?: string[];
  /** Live keys so close to this one that the writer may have meant them. */
  similarKeys?: string[];
  /** The text was too long for an agent's fact: how many of its characters are stored. Absent where all of it is. */
  truncated?: { kept: number; of: number };
  /** Of a write that erases: what a backend still holds of the erased text, and why. Absent where the bytes are gone. */
  residue?: Receipt["residue"];
  /** Of a write that erases: what rests on the erased text and stays, as in a {@link Receipt}. */
  kept?: Receipt["kept"];
}

/** What an erasure removed, and what it could not. */
export interface Receipt {
  /** Counts per kind: `turns`, `messages`, `facts`, `summaries`, `records`, `artifacts` … */
  removed: Record<string, number>;
  /** What a backend still holds, and why. Empty when the bytes are gone. */
  residue: { what: string; why: string }[];
  /**
   * What may tell of what was erased and stays, since it was not asked for: `facts` that rest on it, superseded ones counted,
   * whose values are as they were and whose quotes of it are gone; where single messages were erased also `checkpoints`, a
   * host's own states of the conversation (counted to 1,000). Absent where there is nothing.
   */
  kept?: Record<string, number>;
}

/** One page of a listing. `cursor` is there while more follows; hand it back to get the next page. */
export interface Page<T> {
  items: T[];
  cursor?: string;
}
