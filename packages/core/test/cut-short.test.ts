import { describe, expect, it } from "vitest";
import { inMemoryStore, MemoryError, type MemoryStore } from "../src/index.ts";
import { assistant, testMemory, user } from "./support.ts";

/** A store whose method fails for good at one of its calls, as a process that is killed there. */
function failingAt(method: "changeTurns" | "commitTurn", at: number): MemoryStore {
  const base = inMemoryStore();
  const run = base[method] as (...given: unknown[]) => Promise<unknown>;
  let calls = 0;
  return Object.assign(Object.create(base), base, {
    [method]: async (...given: unknown[]) => {
      if (++calls === at) throw new MemoryError("STORE_FAILED", "killed here");
      return run(...given);
    },
  });
}

describe("what is done in several writes", () => {
  it("F11/E3: a link that was cut short is completed by linking again", async () => {
    const { memory } = testMemory({ store: failingAt("changeTurns", 3) });
    const mail = memory.conversation({ id: "c", subject: "mail" });
    for (let index = 0; index < 6; index++)
      await mail.record({ messages: [user(`pineapple ${index}`), assistant("ok")] });
    const link = { identity: "mail", subject: "ana" };
    await memory.operator.link(link).catch(() => undefined);
    await memory.operator.link(link);
    const { turns } = await memory.conversation({ id: "c", subject: "ana" }).transcript();
    expect(turns.map((turn) => turn.subject)).toEqual(Array.from({ length: 6 }, () => "ana"));
    expect((await memory.subject("ana").search("pineapple", { k: 20 })).hits).toHaveLength(6);
  });

  it("W16/J5: a clone that was cut short leaves no half conversation under the new id", async () => {
    const { memory } = testMemory({ store: failingAt("commitTurn", 9) });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (let index = 0; index < 6; index++) await chat.record({ messages: [user(`q${index}`), assistant("ok")] });
    await chat.clone("copy").catch(() => undefined);
    const first = (await memory.conversation({ id: "copy" }).transcript()).turns.length;
    const again = await chat.clone("copy").then(
      async (copy) => (await copy.transcript()).turns.length,
      () => first,
    );
    expect([0, 6]).toContain(first);
    expect(again).toBe(6);
  });
});
