import type { ModelAddress } from "../agents/choose-model.ts";

/** What the process of a session is told when its turn has come. */
export interface Start {
  file: string;
  model: ModelAddress;
}

/** How it ends where an answer is not what it should be. Whatever else goes wrong ends with 1. */
export const MISMATCH = 3;
