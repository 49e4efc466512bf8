import { type KnownSet, nextSet } from "../../src/vectors/known-set.ts";
import type { NearChanges } from "../../src/vectors/near-changes.ts";

/** `nextSet` in one go. */
export function setAfter(set: KnownSet, changes: NearChanges): KnownSet | null {
  const making = nextSet(set, changes);
  for (;;) {
    const step = making.next();
    if (step.done === true) return step.value;
  }
}
