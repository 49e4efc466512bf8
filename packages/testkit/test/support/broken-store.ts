import type { KeywordIndex, MemoryStore, Postings, TurnWrite } from "@throughline/core";
import type { StoreHooks } from "../../src/store/run-store-case.ts";
import { type Breakage, soundHooks } from "./sound-store.ts";

/** A store with one fault, and the cases that have to notice. */
export interface BrokenStore {
  name: string;
  suite: string;
  /** Words of the titles of the cases that must fail. */
  caughtBy: readonly string[];
  hooks: StoreHooks;
}

/** A sound store with one breakage. */
export function broken(
  suite: string,
  name: string,
  caughtBy: string | readonly string[],
  breakage: Breakage,
): BrokenStore {
  return { suite, name, caughtBy: typeof caughtBy === "string" ? [caughtBy] : caughtBy, hooks: soundHooks(breakage) };
}

/** The store with every owner changed before it is used. */
export function withOwners(
  store: MemoryStore,
  change: <Owner extends { tenant: string }>(owner: Owner) => Owner,
): MemoryStore {
  const changed = Object.entries(store).map(([name, member]) => {
    if (typeof member !== "function" || name === "close") return [name, member];
    const call = (owner: { tenant: string } | { tenant: string }[], ...rest: unknown[]) =>
      member(Array.isArray(owner) ? owner.map(change) : change(owner), ...rest);
    return [name, call];
  });
  // The same members with the same signatures; only owners differ.
  return Object.fromEntries(changed) as MemoryStore;
}

/** The turn with every text changed. */
export function withText(write: TurnWrite, change: (text: string) => string): TurnWrite {
  const messages = write.turn.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === "text" ? { ...part, text: change(part.text) } : part)),
  }));
  return { ...write, turn: { ...write.turn, messages } };
}

/** The store, its index telling each term in another way. */
export function withTerms(
  store: MemoryStore,
  change: (term: Postings["terms"][number]) => Postings["terms"][number],
): MemoryStore {
  const { keyword } = store;
  if (keyword === undefined) return store;
  const postings: typeof keyword.postings = async (owner, scope, query, options) => {
    const told = await keyword.postings(owner, scope, query, options);
    return { ...told, terms: told.terms.map(change) };
  };
  return { ...store, keyword: { ...keyword, postings } };
}

/** The store, its index looking behind documents in another way. */
export function withFollowing(
  store: MemoryStore,
  change: (following: KeywordIndex["following"]) => KeywordIndex["following"],
): MemoryStore {
  const { keyword } = store;
  if (keyword === undefined) return store;
  return { ...store, keyword: { ...keyword, following: change(keyword.following) } };
}

/** Lets everything else that waits go first. */
export const later = () => new Promise<void>((resolve) => setImmediate(resolve));
/** After everything. */
export const ALWAYS = "9999-12-31T23:59:59.999Z";
