import {
  type AgentOwner,
  type ConversationOwner,
  type FactOwner,
  inMemoryStore,
  type MemoryStore,
} from "@throughline/core";
import type { StoreHooks } from "../../src/store/run-store-case.ts";
import { handleOf, type KeywordState, withKeywordIndex } from "./keyword-overlay.ts";

/** Changes a sound store into a broken one. */
export type Breakage = (store: MemoryStore) => MemoryStore;

interface Place {
  store: MemoryStore;
  seen: Seen;
}

interface Seen {
  conversations: Map<string, ConversationOwner>;
  agents: Map<string, AgentOwner>;
  facts: Map<string, FactOwner>;
}

/**
 * A sound store with every ability the kit has suites for: it outlives its handles as long as this process lives, has a
 * keyword index and can be peeked into.
 */
export function soundHooks(breakage: Breakage = (store) => store): Required<Omit<StoreHooks, "destroy">> & StoreHooks {
  const places = new Map<string, Place>();
  return {
    create({ directory }) {
      const seen: Seen = { conversations: new Map(), agents: new Map(), facts: new Map() };
      const index: KeywordState = { entries: [], next: 1, conversations: [] };
      const base = inMemoryStore();
      const watched = watch(
        { ...base, capabilities: { ...base.capabilities, durable: true, multiProcess: true } },
        seen,
      );
      const place = { store: breakage(withKeywordIndex(watched, index)), seen };
      places.set(directory, place);
      return handleOf(place.store);
    },
    reopen({ directory }) {
      return handleOf(placeAt(places, directory).store);
    },
    async peek(directory) {
      const { store, seen } = placeAt(places, directory);
      const everything = JSON.stringify(await readEverything(store, seen));
      return [new TextEncoder().encode(everything)];
    },
    destroy({ directory }) {
      places.delete(directory);
    },
  };
}

function placeAt(places: Map<string, Place>, directory: string): Place {
  const place = places.get(directory);
  if (place === undefined) throw new Error("Nothing was made in this directory.");
  return place;
}

/** Remembers the owners that something was written for. */
function watch(store: MemoryStore, seen: Seen): MemoryStore {
  const see = (owner: ConversationOwner): void => {
    seen.conversations.set(JSON.stringify([owner.tenant, owner.agent, owner.conversation]), owner);
  };
  return {
    ...store,
    commitTurn(owner, write, options) {
      see(owner);
      return store.commitTurn(owner, write, options);
    },
    commitItems(owner, commits, options) {
      see(owner);
      return store.commitItems(owner, commits, options);
    },
    commitFacts(owner, commit, options) {
      seen.facts.set(JSON.stringify([owner.tenant, owner.agent, owner.scope, owner.id]), owner);
      return store.commitFacts(owner, commit, options);
    },
    commitRecords(owner, commits, options) {
      seen.agents.set(JSON.stringify([owner.tenant, owner.agent]), owner);
      return store.commitRecords(owner, commits, options);
    },
  };
}

async function readEverything(store: MemoryStore, seen: Seen): Promise<unknown[]> {
  const limit = 1_000_000;
  const all: unknown[] = [];
  for (const owner of seen.conversations.values()) {
    const items = await store.readItems(owner, { prefix: "", limit });
    all.push(
      await store.readConversation(owner),
      await store.readTurns(owner, { hidden: true, limit }),
      await store.readSummaries(owner, { limit }),
      items.map(({ key, bytes }) => [key, new TextDecoder().decode(bytes)]),
    );
  }
  all.push(await store.readFacts([...seen.facts.values()], { now: "", history: true, limit }));
  for (const { tenant, agent } of seen.conversations.values()) {
    all.push(await store.checkpoints?.list({ tenant, agent }, { limit }));
  }
  for (const owner of seen.agents.values()) all.push(await store.readRecords(owner, { now: "", namespace: [], limit }));
  return all;
}
