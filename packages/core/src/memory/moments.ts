/** Times of what begins and of what is erased, told apart within one millisecond. */
export interface Moments {
  /** For what begins now: later than every erasure of this process. */
  begin(): string;
  /** For an erasure now: no earlier than all that began in this process. */
  erase(): string;
}

/** An erasure refuses what began in its millisecond; what begins after it must not look as if it had. */
export function createMoments(now: () => string): Moments {
  let begun = "";
  let erased = "";
  return {
    begin() {
      const time = now();
      const moment = time > erased ? time : new Date(Date.parse(erased) + 1).toISOString();
      if (moment > begun) begun = moment;
      return moment;
    },
    erase() {
      const time = now();
      const moment = time > begun ? time : begun;
      if (moment > erased) erased = moment;
      return moment;
    },
  };
}
