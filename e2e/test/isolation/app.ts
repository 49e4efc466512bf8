import { createMemory, type Memory, type MemoryStore } from "@throughline/core";
import type { Identity } from "@throughline/testkit";

/** What an app has of its framework for one tenant and agent, made once. */
export function perAgent<Made>(
  store: MemoryStore,
  make: (memory: Memory, name: string) => Made,
): (who: Identity) => Made & { memory: Memory } {
  const made = new Map<string, Made & { memory: Memory }>();
  return ({ tenant, agent }) => {
    const key = JSON.stringify([tenant, agent]);
    let found = made.get(key);
    if (found === undefined) {
      const memory = createMemory({ tenant, agent, store, forgetKey: "of these tests", env: {}, onEvent: () => {} });
      found = { ...make(memory, `agent-${made.size}`), memory };
      made.set(key, found);
    }
    return found;
  };
}

/** A conversation as the memory takes it. */
export const refOf = ({ conversation: id, subject }: Identity) => ({
  id,
  ...(subject === undefined ? {} : { subject }),
});
