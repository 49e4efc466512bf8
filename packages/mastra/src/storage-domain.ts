import type { MastraMemory } from "@mastra/core/memory";
import type { Thread } from "./convert/list-rows.ts";
import type { Row } from "./convert/rows.ts";

type Storage = MastraMemory["storage"];

/** What of a storage's domain "memory" is answered from this memory. */
export interface MemoryDomain {
  getThreadById(input: { threadId: string }): Promise<Thread | null>;
  listMessagesById(input: { messageIds: string[] }): Promise<{ messages: Row[] }>;
}

/** A storage as it is, except that its domain "memory" knows the threads and messages of this memory. */
export function withMemoryDomain(storage: Storage, own: MemoryDomain): Storage {
  return over(storage, {
    async getStore(name: string) {
      // The host's own method, of any domain's name.
      const domain: unknown = await (storage.getStore as (name: string) => Promise<unknown>).call(storage, name);
      if (name !== "memory") return domain;
      return typeof domain === "object" && domain !== null ? over(domain, own) : own;
    },
  });
}

/** An object with some members of another one, and its own methods bound to itself: a class may have private members. */
const over = <Target extends object>(target: Target, own: object): Target =>
  new Proxy(target, {
    get(_target, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
