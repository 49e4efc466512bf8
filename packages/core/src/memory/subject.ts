import type { Subject } from "../contract/conversation.ts";
import type { FactInput, FactScope } from "../contract/fact.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { rememberFact } from "../facts/remember-fact.ts";
import { searchMessages } from "../search/search-messages.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";

/** Facts that `facts()` reads per scope. */
const READ_LIMIT = 10_000;

/** A handle on one subject. Reads and writes nothing by itself. */
export function createSubject(engine: Engine, id: string): Subject {
  const context = async () => ({ ...engine.owner, subject: await canonicalSubject(engine, id) });
  return {
    id,
    async facts(options: { scope?: FactScope; history?: boolean; signal?: AbortSignal } = {}) {
      const scopes: readonly FactScope[] = options.scope ? [options.scope] : ["user", "global"];
      const reader = await context();
      const owners = scopes.map((scope) => {
        const owner = factOwner(reader, scope);
        if (owner === null || scope === "app") {
          throw new MemoryError("INVALID_ARGUMENT", `A subject has facts of the scopes user and global, not ${scope}.`);
        }
        return owner;
      });
      const store = await engine.store();
      const query = { now: engine.now(), limit: READ_LIMIT, ...(options.history ? { history: true } : {}) };
      const sets = await store.readFacts(owners, query, options.signal === undefined ? {} : { signal: options.signal });
      return sets
        .flatMap((set) => set.facts)
        .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? -1 : 1));
    },
    remember: (fact: FactInput) => rememberFact(engine, { author: "user", origin: "user", context }, fact),
    async search(query: string, filter = {}) {
      const subject = await canonicalSubject(engine, id);
      return searchMessages(engine, { kind: "subject", subject }, query, filter);
    },
    async erase() {
      const store = await engine.store();
      const subject = await canonicalSubject(engine, id);
      const receipt = await store.erase(engine.owner, { kind: "subject", subject }, { now: engine.now() });
      engine.emit({ type: "memory.erased", subject: id, removed: receipt.removed, residue: receipt.residue.length });
      return receipt;
    },
    // The brand exists in types only: it marks what this function makes, and nothing else can claim it.
  } as Subject;
}
