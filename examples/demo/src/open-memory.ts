import { createMemory, type Distiller, type Memory, type MemoryPolicyInput, type Summarizer } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

/** The memory of one of the demo's agents, on a SQLite file. */
export function openMemory(options: {
  agent: string;
  file: string;
  policy?: MemoryPolicyInput;
  summarizer?: Summarizer;
  distiller?: Distiller;
}): Memory {
  return createMemory({
    agent: options.agent,
    store: sqliteStore({ path: options.file }),
    // The demo's own settings, whatever the environment says of another app's memory.
    policy: options.policy ?? {},
    env: {},
    ...(options.summarizer === undefined ? {} : { summarizer: options.summarizer }),
    ...(options.distiller === undefined ? {} : { distiller: options.distiller }),
  });
}
