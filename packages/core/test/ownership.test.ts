import { describe, expect, it } from "vitest";
import { codeOf, testMemory, texts, user } from "./support.ts";

describe("what is somebody else's", () => {
  it("F13: an update changes title and metadata, whatever else the caller's object holds", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("hello")] });
    const body = { title: "Holidays", subject: "eve", clearedThrough: 9 };
    await chat.update(body);
    expect((await memory.conversations()).items[0]).toMatchObject({ title: "Holidays", subject: "ana" });
    expect(texts(await chat.history())).toEqual(["hello"]);
  });

  it("F13: an import takes nothing into a conversation that belongs to another subject", async () => {
    const other = testMemory().memory;
    const theirs = other.conversation({ id: "c", subject: "eve" });
    await theirs.record({ id: "t1", messages: [user("from eve")] });
    await theirs.remember("note", "planted", { scope: "conversation" });
    await theirs.update({ title: "Planted" });
    const data = await other.subject("eve").export();

    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t1", messages: [user("from ana")] });
    const report = await memory.operator.import(data);
    expect(report).toMatchObject({ turns: 0, facts: 0 });
    expect(report.refused.map(({ kind, code }) => `${kind} ${code}`)).toEqual([
      "turn CONVERSATION_OWNER_MISMATCH",
      "fact CONVERSATION_OWNER_MISMATCH",
    ]);
    expect((await memory.conversations()).items[0]?.title).toBeUndefined();
    expect(await chat.systemContext()).toBe("");
  });

  it("S2/F10: turns that stayed with the earlier subject are not found by the later one's meaning", async () => {
    const { memory } = testMemory({
      embedder: {
        modelId: "same",
        dimensions: 2,
        embed: async (given) => given.map(() => Float32Array.of(1, 0)),
      },
    });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("said as ana")] });
    await chat.record({ messages: [user("said as bob")] });
    await chat.rebindSubject("bob");
    await memory.settled();
    const { hits } = await memory.subject("bob").search("anything", { mode: "semantic" });
    expect(hits.map((hit) => hit.subject)).toEqual(["bob"]);
  });

  it("W16: a copy of a conversation doesn't show what was cleared", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c" });
    await chat.record({ messages: [user("cleared")] });
    await chat.clear();
    await chat.record({ messages: [user("fresh")] });
    expect(texts(await (await chat.clone("copy")).history())).toEqual(["fresh"]);
  });

  it("J15: no host reaches the library's own records, and a record belongs to the person behind an identity", async () => {
    const { memory } = testMemory();
    expect(await codeOf(() => memory.records(["\u0001throughline", "embedding"]).list())).toBe("INVALID_ID");
    await memory.operator.link({ identity: "ana@example.org", subject: "ana" });
    await memory.records(["notes"]).put("k", 1, { subject: "ana@example.org" });
    const data = await memory.subject("ana").export();
    expect(data.records).toHaveLength(1);
    const [record] = data.records;
    const planted = { ...data, records: [{ ...(record as object), namespace: ["\u0001throughline", "embedding"] }] };
    expect(await codeOf(() => memory.operator.import(planted as typeof data))).toBe("INVALID_ARGUMENT");
  });

  it("F4/F8: the agent saying a person's fact again puts no expiry on it and takes no rank from it", async () => {
    const { memory } = testMemory();
    await memory.subject("ana").remember({ key: "tone", value: "Be brief", type: "instruction" });
    const said = await memory.conversation({ id: "c", subject: "ana" }).remember("tone", "be brief");
    expect(said.status).toBe("unchanged");
    const [fact] = await memory.subject("ana").facts();
    expect(fact).toMatchObject({ author: "user", type: "instruction" });
    expect(fact?.expiresAt).toBeUndefined();
  });

  it("G12: a list of higher origin isn't taken over by who adds to it", async () => {
    const { memory } = testMemory();
    await memory.subject("ana").remember({ key: "allergies", value: ["nuts"] });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    expect((await chat.remember("allergies", "nuts", { multiple: true })).status).toBe("unchanged");
    await chat.remember("allergies", "milk", { multiple: true });
    const facts = await memory.subject("ana").facts();
    expect(facts.map(({ value, origin, disputedWith }) => [value, origin, disputedWith !== undefined])).toEqual([
      ["milk", "assistant", true],
      [["nuts"], "user", false],
    ]);
  });
});
