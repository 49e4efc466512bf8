import { describe, expect, it } from "vitest";
import { describeSession, runCase } from "./describe-session.ts";
import type { SessionItem, SessionLike } from "./session-case.ts";
import { SESSION_CASES } from "./session-cases.ts";

/** The plainest session that does it all, to be broken. */
function plainSession(storage: Map<string, SessionItem[]>, name: string): SessionLike {
  const applied = new Map<string, string>();
  const read = () => storage.get(name) ?? [];
  const write = (items: readonly SessionItem[]) => void storage.set(name, structuredClone([...items]));
  const isResult = (item: SessionItem) => item.type === "function_call_result";
  const shown = (): SessionItem[] => {
    const items = structuredClone(read());
    const results = new Set(items.filter(isResult).map(({ callId }) => callId));
    return items.filter(
      (item) => item.type !== "reasoning" && (item.type !== "function_call" || results.has(item.callId)),
    );
  };
  return {
    getSessionId: async () => name,
    async getItems(limit) {
      const all = shown();
      if (limit === undefined || limit >= all.length) return all;
      const newest = limit <= 0 ? [] : all.slice(-limit);
      const first = newest.findIndex(({ role }) => role === "user");
      if (first >= 0) return newest.slice(first);
      const calls = new Set(newest.filter(({ type }) => type === "function_call").map(({ callId }) => callId));
      return newest.filter((item) => !isResult(item) || calls.has(item.callId));
    },
    addItems: async (items) => write([...read(), ...items]),
    async popItem() {
      const items = read();
      write(items.slice(0, -1));
      return items.at(-1);
    },
    clearSession: async () => write([]),
    async applyHistoryTransaction({ operationId, transaction }) {
      const text = JSON.stringify(transaction);
      if (applied.has(operationId)) {
        if (applied.get(operationId) !== text) throw new Error("another transaction");
        return;
      }
      const items = read();
      if (transaction.type === "append_items") write([...items, ...transaction.items]);
      else {
        const { length } = transaction.expectedSuffix;
        if (JSON.stringify(items.slice(-length)) !== JSON.stringify(transaction.expectedSuffix))
          throw new Error("changed");
        write([...items.slice(0, -length), ...transaction.replacement]);
      }
      applied.set(operationId, text);
    },
  };
}

function benchOf(
  change: (plain: SessionLike, storage: Map<string, SessionItem[]>, name: string) => Partial<SessionLike>,
) {
  const storage = new Map<string, SessionItem[]>();
  const sessions = new Map<string, SessionLike>();
  const open = (name: string): SessionLike => {
    const plain = plainSession(storage, name);
    return { ...plain, ...change(plain, storage, name) };
  };
  return {
    session(name = "one") {
      const session = sessions.get(name) ?? open(name);
      sessions.set(name, session);
      return session;
    },
    reopen: (name = "one") => open(name),
  };
}

describeSession("that is plain", { withBench: (body) => body(benchOf(() => ({}))) });

type Change = Parameters<typeof benchOf>[0];

/** Sessions that are wrong in one way each, with the case that has to notice. */
const BROKEN: readonly [what: string, title: string, change: Change][] = [
  [
    "has another id each time",
    "is empty at first, and has an id that stays",
    () => {
      let count = 0;
      return { getSessionId: async () => `s${count++}` };
    },
  ],
  [
    "gives the newest first",
    "gives back what it was handed, in order",
    (plain) => ({ getItems: async (limit) => (await plain.getItems(limit)).reverse() }),
  ],
  [
    "drops what it has already",
    "keeps what is said twice twice",
    (plain, storage, name) => ({
      addItems: async (items) =>
        plain.addItems(
          items.filter((item) => !storage.get(name)?.some((known) => JSON.stringify(known) === JSON.stringify(item))),
        ),
    }),
  ],
  [
    "loses what comes without a question",
    "takes one turn in several pieces",
    (plain) => ({ addItems: async (items) => (items[0]?.role === "user" ? plain.addItems(items) : undefined) }),
  ],
  [
    "gives the oldest",
    "gives the newest items, never more than asked for",
    (plain) => ({ getItems: async (limit) => (await plain.getItems()).slice(0, limit) }),
  ],
  [
    "gives one more than asked for",
    "gives the newest items, never more than asked for",
    (plain) => ({ getItems: (limit) => plain.getItems(limit === undefined ? limit : limit + 1) }),
  ],
  [
    "cuts anywhere",
    "cuts where a person speaks, wherever the limit falls",
    (plain) => ({
      getItems: async (limit) => {
        const all = await plain.getItems();
        return limit === undefined ? all : limit <= 0 ? [] : all.slice(-limit);
      },
    }),
  ],
  [
    "cuts through calls",
    "shows nothing that a provider refuses, wherever the limit falls",
    (plain) => ({
      getItems: async (limit) => {
        const all = await plain.getItems();
        return limit === undefined ? all : limit <= 0 ? [] : all.slice(-limit);
      },
    }),
  ],
  [
    "shows open calls",
    "shows no call that was left without a result once the person speaks again",
    (_plain, storage, name) => ({ getItems: async () => structuredClone(storage.get(name) ?? []) }),
  ],
  [
    "keeps what it is given itself",
    "hands out copies, and keeps copies",
    (_plain, storage, name) => ({
      addItems: async (items) => void storage.set(name, [...(storage.get(name) ?? []), ...items]),
    }),
  ],
  [
    "hands itself out",
    "hands out copies, and keeps copies",
    (_plain, storage, name) => ({ getItems: async () => storage.get(name) ?? [] }),
  ],
  [
    "pops nothing",
    "takes the newest item away and gives it",
    (plain) => ({ popItem: async () => (await plain.getItems()).at(-1) }),
  ],
  [
    "pops the oldest",
    "takes the newest item away and gives it",
    (_plain, storage, name) => ({ popItem: async () => storage.get(name)?.shift() }),
  ],
  ["clears nothing", "is empty once it is cleared, and goes on from there", () => ({ clearSession: async () => {} })],
  [
    "is one for all names",
    "keeps the histories of different sessions apart",
    (_plain, storage) => plainSession(storage, "shared"),
  ],
  [
    "writes over what others write",
    "loses nothing of what several runs hand over at once",
    (_plain, storage, name) => ({
      addItems: async (items) => {
        const before = storage.get(name) ?? [];
        await Promise.resolve();
        storage.set(name, [...before, ...items]);
      },
    }),
  ],
  ["keeps it in the object", "has what was kept when it is opened anew", () => plainSession(new Map(), "own")],
  [
    "applies a transaction each time",
    "applies a transaction once, and refuses another one of the same id",
    (plain) => ({
      applyHistoryTransaction: async ({ transaction }) =>
        transaction.type === "append_items" ? plain.addItems(transaction.items) : undefined,
    }),
  ],
  [
    "goes by the id alone",
    "applies a transaction once, and refuses another one of the same id",
    (plain) => {
      const seen = new Set<string>();
      return {
        applyHistoryTransaction: async (args) =>
          seen.size < seen.add(args.operationId).size ? plain.applyHistoryTransaction?.(args) : undefined,
      };
    },
  ],
  [
    "replaces whatever is there",
    "replaces the end of its history where it is what was expected, and changes nothing where it isn't",
    (_plain, storage, name) => ({
      applyHistoryTransaction: async ({ transaction }) => {
        if (transaction.type !== "replace_suffix") return;
        const items = storage.get(name) ?? [];
        storage.set(name, [...items.slice(0, -transaction.expectedSuffix.length), ...transaction.replacement]);
      },
    }),
  ],
  [
    "applies no transactions",
    "replaces the end of its history where it is what was expected, and changes nothing where it isn't",
    () => ({ applyHistoryTransaction: undefined as never }),
  ],
];

describe("OA1: the suite notices a session that", () => {
  it.each(BROKEN)("%s", async (_what, title, change) => {
    const sessionCase = SESSION_CASES.find((known) => known.title === title);
    if (sessionCase === undefined) throw new Error(`No case is called "${title}".`);
    await expect(runCase(sessionCase, benchOf(change))).rejects.toThrow();
  });

  it("has a broken session for every case", () => {
    expect(new Set(BROKEN.map(([, title]) => title)).size).toBe(SESSION_CASES.length);
  });
});
