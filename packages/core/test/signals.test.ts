import { describe, expect, it, vi } from "vitest";
import { inMemoryStore } from "../src/index.ts";
import { assistant, codeOf, testMemory, user } from "./support.ts";

const signal = AbortSignal.abort();
const { memory } = testMemory();
const chat = memory.conversation({ id: "c", subject: "ana" });
const ana = memory.subject("ana");
const { operator } = memory;
const open = () => chat.begin({ messages: [user("hello")] });

/** Calls whose signal has fired. */
const calls: Record<string, () => Promise<unknown>> = {
  begin: () => chat.begin({ signal }),
  resume: () => chat.resume(undefined, { signal }),
  info: () => chat.info({ signal }),
  reconcile: () => chat.reconcile([user("x")], { signal }),
  summary: () => chat.summary({ signal }),
  deleteSummary: () => chat.deleteSummary({ signal }),
  rebindSubject: () => chat.rebindSubject("bo", { signal }),
  update: () => chat.update({ title: "t", signal }),
  clone: () => chat.clone("d", { signal }),
  rewind: () => chat.rewind({ to: "t", signal }),
  deleteMessages: () => chat.deleteMessages(["m"], { signal }),
  clear: () => chat.clear({ signal }),
  delete: () => chat.delete({ signal }),
  offload: async () =>
    (await open()).offload({ type: "tool-result", callId: "a", tool: "b", output: "x".repeat(40_000) }, { signal }),
  complete: async () => (await open()).complete([assistant("x")], { signal }),
  abort: async () => (await open()).abort([assistant("x")], { signal }),
  fail: async () => (await open()).fail(new Error("x"), [], { signal }),
  pause: async () => (await open()).pause([assistant("x")], { signal }),
  changes: () => ana.changes({ signal }),
  undo: () => ana.undo("f", { signal }),
  lift: () => ana.lift({ key: "k", value: "Rex the dog" }, { signal }),
  audit: () => ana.audit({ signal }),
  export: () => ana.export({ signal }),
  erase: () => ana.erase({ signal }),
  "operator.forget": () => operator.forget({ key: "k", scope: "app" }, { signal }),
  "operator.link": () => operator.link({ identity: "mail", subject: "ana" }, { signal }),
  "operator.unlink": () => operator.unlink({ identity: "mail" }, { signal }),
  "operator.undo": () => operator.undo({ id: "f", scope: "app" }, { signal }),
  "operator.transfer": () => operator.transfer({ conversation: "c", subject: "ana" }, { signal }),
  "operator.sweepRetention": () => operator.sweepRetention({ signal }),
  "operator.failures": () => operator.failures({ signal }),
};

describe("E5: signals", () => {
  it.each(Object.keys(calls))("end %s with ABORTED", async (name) => {
    await chat.record({ id: "t", messages: [user("hello"), assistant("hi")] });
    expect(await codeOf(() => calls[name]?.())).toBe("ABORTED");
  });

  it("end a call between two of its steps; the same call goes on with the rest", async () => {
    const ends = new AbortController();
    const base = inMemoryStore();
    let commits = 0;
    const store = Object.assign(Object.create(base), base, {
      commitTurn: (...args: Parameters<typeof base.commitTurn>) => {
        if (++commits === 5) ends.abort();
        return base.commitTurn(...args);
      },
    });
    const { memory: other } = testMemory({ store });
    const long = other.conversation({ id: "long" });
    for (const n of [1, 2, 3]) await long.record({ messages: [user(`q${n}`), assistant(`a${n}`)] });
    expect(await codeOf(() => long.clone("copy", { signal: ends.signal }))).toBe("ABORTED");
    expect(commits).toBe(5);
  });

  it("leave a turn whose end they ended open to be ended again", async () => {
    const turn = await memory.conversation({ id: "again" }).begin({ messages: [user("hello")] });
    expect(await codeOf(() => turn.complete([assistant("hi")], { signal }))).toBe("ABORTED");
    expect((await turn.complete([assistant("hi")])).status).toBe("stored");
  });

  it("E5: end a recall that ranks, before it is through", async () => {
    const ends = new AbortController();
    const base = inMemoryStore();
    const store = {
      ...base,
      readFacts: async (...args: Parameters<typeof base.readFacts>) => {
        const sets = await base.readFacts(...args);
        // While the facts are ranked: there is no further call of the store.
        setImmediate(() => ends.abort());
        return sets;
      },
    };
    const { memory } = testMemory({ store });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (let n = 0; n < 50; n++) await chat.remember({ value: `boat ${n}` });
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      now += 5;
      return now;
    });
    expect(await codeOf(() => chat.recall({ query: "boat", signal: ends.signal }))).toBe("ABORTED");
    clock.mockRestore();
  });
});
