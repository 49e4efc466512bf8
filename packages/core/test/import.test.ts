import { describe, expect, it } from "vitest";
import { exportLines, type Fact, type SubjectExport } from "../src/index.ts";
import { assistant, call, codeOf, testMemory, texts, user } from "./support.ts";

const NOW = "2026-03-01T09:00:00.000Z";
const fact = (id: string, more: Partial<Fact>): Fact => ({
  id,
  value: 1,
  type: "fact",
  tags: [],
  scope: "user",
  author: "user",
  origin: "user",
  createdAt: NOW,
  updatedAt: NOW,
  validFrom: NOW,
  version: 1,
  ...more,
});
const exportOf = (subject: string, more: Partial<SubjectExport>): SubjectExport => ({
  format: "throughline/subject@1",
  exportedAt: NOW,
  agent: "helper",
  subject,
  quarantined: [],
  events: [],
  carryOver: [],
  identities: [],
  conversations: [],
  facts: [],
  records: [],
  ...more,
});

describe("importing what somebody else wrote", () => {
  it("G3: a short value forgotten under its key stays away, however the import spells the key", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("pin", "123");
    await chat.forget("pin");
    await memory.operator.import(exportOf("ana", { facts: [fact("f", { key: "PIN", value: "123" })] }));
    expect(await chat.systemContext()).not.toContain("123");
  });

  it("F1: an imported key is normalised, so that it can be recalled and forgotten", async () => {
    const { memory } = testMemory();
    await memory.operator.import(exportOf("ana", { facts: [fact("f", { key: "Favourite Colour", value: "green" })] }));
    expect(await memory.conversation({ id: "c", subject: "ana" }).recall("favourite colour")).toBe("green");
  });

  it("G12: an import leaves one live value in a slot", async () => {
    const { memory } = testMemory();
    const facts = [fact("f", { key: "city", value: "Porto" }), fact("g", { key: "city", value: "Braga" })];
    await memory.operator.import(exportOf("ana", { facts }));
    const live = (await memory.subject("ana").facts()).filter((entry) => entry.disputedWith === undefined);
    expect(live).toHaveLength(1);
  });

  it("G1: an import lower than what the person said doesn't supersede it", async () => {
    const { memory } = testMemory();
    await memory.subject("ana").remember({ key: "city", value: "Porto" });
    await memory.operator.import(
      exportOf("ana", { facts: [fact("f", { key: "city", value: "Eve", updatedAt: "2030-01-01T00:00:00.000Z" })] }),
    );
    expect(await memory.conversation({ id: "c", subject: "ana" }).recall("city")).toBe("Porto");
  });

  it("J1: an import with times that are none is refused", async () => {
    const { memory } = testMemory();
    const facts = [fact("f", { key: "k", value: 1, updatedAt: "zzz", createdAt: "zzz", expiresAt: 5 as never })];
    await expect(memory.operator.import(exportOf("ana", { facts }))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

describe("what an import counts for", () => {
  it("G1: what a file says of a person or an operator is an import's, unless the operator vouches for it", async () => {
    const { memory } = testMemory();
    const facts = [fact("f", { key: "tone", value: "be brief", author: "operator", origin: "operator" })];
    await memory.operator.import(exportOf("ana", { facts }));
    const [taken] = await memory.subject("ana").facts();
    expect(taken).toMatchObject({ author: "import", origin: "import" });
    expect(await memory.subject("ana").undo("f")).toMatchObject({ code: "NOT_UNDOABLE" });
    await memory.operator.import(exportOf("bob", { facts }), { trusted: true });
    expect((await memory.subject("bob").facts())[0]).toMatchObject({ author: "operator", origin: "operator" });
  });

  it("G12: a higher origin takes an import's place, and a time to come is now", async () => {
    const { memory } = testMemory();
    const facts = [fact("f", { key: "city", value: "Eve", updatedAt: "2999-01-01T00:00:00.000Z" })];
    await memory.operator.import(exportOf("ana", { facts }));
    expect((await memory.subject("ana").facts())[0]?.updatedAt.slice(0, 4)).toBe("2026");
    await memory.subject("ana").remember({ key: "city", value: "Porto" });
    expect((await memory.subject("ana").facts()).map(({ value }) => value)).toEqual(["Porto"]);
  });

  it.each<[string, Partial<Fact>]>([
    ["an id with NUL", { id: "a\0" }],
    ["a key of separators alone", { key: "--" }],
    ["an expiry that is no time", { expiresAt: "soon" }],
    ["a date that isn't there", { validFrom: "2026-02-30T00:00:00.000Z" }],
    ["a scope of elsewhere", { scope: "app" }],
    ["an unknown origin", { origin: "oracle" as never }],
  ])("refuses %s, and takes nothing", async (_, more) => {
    const { memory } = testMemory();
    const facts = [fact("good", {}), fact("f", more)];
    expect(await codeOf(() => memory.operator.import(exportOf("ana", { facts })))).toBe("INVALID_ARGUMENT");
    expect(await memory.subject("ana").facts()).toEqual([]);
  });

  it("G7: names records that are there with another value", async () => {
    const { memory } = testMemory();
    const records = memory.records(["prefs"]);
    await records.put("theme", "dark", { subject: "ana" });
    const copy = await memory.subject("ana").export();
    expect((await memory.operator.import(copy)).refused).toEqual([]);
    await records.put("theme", "light", { subject: "ana" });
    expect((await memory.operator.import(copy)).refused).toMatchObject([{ kind: "record", code: "VERSION_CONFLICT" }]);
    expect((await records.get("theme"))?.value).toBe("light");
  });
});

describe("moving elsewhere", () => {
  it("A1: takes artifacts, what was cleared and when it began along, as an object or as lines", async () => {
    const { memory, tick } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const turn = await chat.begin({ messages: [user("look it up")] });
    const shown = await turn.offload({
      type: "tool-result",
      callId: "k",
      tool: "lookup",
      output: "word ".repeat(20_000),
    });
    await turn.complete([
      { role: "assistant", parts: [call("k")] },
      { role: "tool", parts: [shown] },
      assistant("done"),
    ]);
    const artifact = /art_[0-9a-z]{6}_[0-9a-z]{14}/.exec(JSON.stringify(shown))?.[0] ?? "";
    await chat.clear();
    await chat.record({ messages: [user("after"), assistant("yes")] });
    await chat.update({ title: "Lookup" });
    const copy = await memory.subject("ana").export();
    const [info] = (await memory.conversations()).items;
    tick(86_400_000);
    async function* lines() {
      for (const line of exportLines(copy)) yield `${line}\n`;
    }
    for (const source of [JSON.parse(JSON.stringify(copy)) as SubjectExport, [...exportLines(copy)], lines()]) {
      const other = testMemory();
      other.tick(2 * 86_400_000);
      const elsewhere = other.memory;
      const report = await elsewhere.operator.import(source, { trusted: true });
      expect(report).toMatchObject({ turns: 2, artifacts: 1, refused: [] });
      const there = elsewhere.conversation({ id: "c", subject: "ana" });
      expect(texts(await there.history())).toEqual(["after", "yes"]);
      expect(await there.artifact(artifact).bytes()).toEqual(await chat.artifact(artifact).bytes());
      expect((await elsewhere.conversations()).items[0]).toMatchObject({
        title: "Lookup",
        createdAt: info?.createdAt,
        updatedAt: info?.updatedAt,
      });
      await there.update({ title: "Mine" });
      await there.record({ id: "later", messages: [user("later")] });
      expect(await elsewhere.operator.import(copy, { trusted: true })).toMatchObject({ turns: 0, artifacts: 0 });
      expect(texts(await there.history())).toEqual(["after", "yes", "later"]);
      expect((await elsewhere.conversations()).items[0]?.title).toBe("Mine");
    }
    expect(await codeOf(() => memory.operator.import(["{"]))).toBe("INVALID_ARGUMENT");
    expect(await codeOf(() => memory.operator.import(['{"kind":"poem"}']))).toBe("INVALID_ARGUMENT");
  });

  it("A2: an erased conversation doesn't come back, not even as a name", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("hello")] });
    const copy = await memory.subject("ana").export();
    await chat.delete();
    expect((await memory.operator.import(copy)).refused).toMatchObject([{ kind: "turn", code: "ERASED" }]);
    expect((await memory.conversations()).items).toEqual([]);
  });

  it("G3: what was forgotten stays so elsewhere where the same key hashes it", async () => {
    const { memory } = testMemory({ forgetKey: "k1" });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("hello")] });
    await chat.remember("illness", "diabetes");
    await chat.remember("mood", "gloomy", { scope: "conversation" });
    await chat.forget({ all: true });
    const copy = await memory.subject("ana").export();
    expect(JSON.stringify(copy)).not.toContain("diabetes");
    for (const [forgetKey, code] of [
      ["k1", "FORGOTTEN"],
      ["k2", undefined],
    ] as const) {
      const elsewhere = testMemory({ forgetKey }).memory;
      await elsewhere.operator.import(copy);
      const there = elsewhere.conversation({ id: "c", subject: "ana" });
      expect((await there.remember("illness", "diabetes")).code).toBe(code);
      expect((await there.remember("mood", "gloomy", { scope: "conversation" })).code).toBe(code);
    }
  });

  it("G3: a forgotten value's history doesn't come back in its stead", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("city", "Porto");
    await chat.remember("city", "Braga");
    const copy = await memory.subject("ana").export();
    await chat.forget("city");
    const report = await memory.operator.import(copy);
    expect(report).toMatchObject({ facts: 0, refused: [{ code: "FORGOTTEN" }, { code: "FORGOTTEN" }] });
    expect(await chat.recall("city")).toBeNull();
  });
});
