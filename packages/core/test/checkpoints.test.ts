import { createMemory, inMemoryStore, MemoryError, type MemoryEvent, type MemoryStore } from "@throughline/core";
import { describe, expect, it } from "vitest";

const write = { space: "", id: "c1", values: [], tags: [], body: "{}" };
const chat = { id: "chat", subject: "ann" };

function memoryOn(store: MemoryStore) {
  const events: MemoryEvent[] = [];
  const memory = createMemory({ agent: "helper", env: {}, store, onEvent: (event) => events.push(event) });
  return { memory, events };
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => "nothing",
    (reason: unknown) => reason,
  );
  return MemoryError.isInstance(error) ? error.code : error;
}

describe("a host's checkpoints", () => {
  it("J15: a store that keeps none says so, with what to do", async () => {
    const { checkpoints: _checkpoints, ...store } = inMemoryStore();
    const { memory } = memoryOn({ ...store, capabilities: { ...store.capabilities, checkpoints: false } });
    expect(await codeOf(memory.checkpoints.put(chat, write))).toBe("STORE_CONTRACT");
    expect(await codeOf(memory.checkpoints.list({ limit: 1 }))).toBe("STORE_CONTRACT");
  });

  it("B1/F11: another subject's are refused, to read and to write, and every name of the subject finds them", async () => {
    const { memory } = memoryOn(inMemoryStore());
    await memory.operator.link({ identity: "ann@x", subject: "ann" });
    await memory.checkpoints.put({ ...chat, subject: "ann@x" }, write);
    expect((await memory.checkpoints.read({ ...chat, subject: "ann@x" }, { space: "" }))?.subject).toBe("ann");
    const bobs = { ...chat, subject: "bob" };
    expect(await codeOf(memory.checkpoints.read(bobs, { space: "" }))).toBe("CONVERSATION_OWNER_MISMATCH");
    expect(await codeOf(memory.checkpoints.put(bobs, { ...write, id: "c2", parent: "c1" }))).toBe(
      "CONVERSATION_OWNER_MISMATCH",
    );
    expect(await codeOf(memory.checkpoints.copy(bobs, { id: "copy" }))).toBe("CONVERSATION_OWNER_MISMATCH");
    expect((await memory.checkpoints.threads({ subject: "ann@x" })).items).toHaveLength(1);
    expect(await memory.checkpoints.list({ subject: "ann@x", limit: 9 })).toHaveLength(1);
  });

  it("L4/B3: what comes too late is dropped and told, and threads are paged", async () => {
    const { memory, events } = memoryOn(inMemoryStore());
    for (const id of ["a", "b", "c"]) await memory.checkpoints.put({ id }, write);
    const first = await memory.checkpoints.threads({ limit: 2 });
    expect(first.items.map(({ conversation }) => conversation)).toEqual(["a", "b"]);
    const rest = await memory.checkpoints.threads({ limit: 2, cursor: first.cursor ?? "" });
    expect(rest).toMatchObject({ items: [{ conversation: "c" }] });
    await memory.conversation({ id: "a" }).delete();
    expect(await memory.checkpoints.put({ id: "a" }, { ...write, id: "c2", parent: "c1" })).toEqual({
      status: "late",
      gone: true,
    });
    const writes = { space: "", checkpoint: "c1", task: "t", path: "", writes: [] };
    expect(await memory.checkpoints.putWrites({ id: "a" }, writes)).toBe(false);
    expect(events.filter(({ type }) => type === "memory.write_failed")).toMatchObject([
      { conversation: "a", operation: "put_checkpoint", code: "ERASED" },
      { conversation: "a", operation: "put_writes", code: "ERASED" },
    ]);
  });

  it("PR5: names that no store can keep are refused with a code", async () => {
    const { memory } = memoryOn(inMemoryStore());
    expect(await codeOf(memory.checkpoints.put({ id: "" }, write))).toBe("INVALID_ID");
    expect(await codeOf(memory.checkpoints.put(chat, { ...write, space: "\0" }))).toBe("INVALID_ID");
    expect(await codeOf(memory.checkpoints.put(chat, { ...write, values: [{ name: "\ud800", value: "1" }] }))).toBe(
      "INVALID_ID",
    );
  });
});
