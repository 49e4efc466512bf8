import { describe, expect, it } from "vitest";
import { similarKeys } from "../src/facts/fact-key.ts";
import { memoryTools } from "../src/index.ts";
import { testMemory } from "./support.ts";

describe("authority of facts", () => {
  it("F12/G1: a slot is found however many facts the person has", { timeout: 60_000 }, async () => {
    const { memory } = testMemory();
    const ana = memory.subject("ana");
    await ana.remember({ key: "first", value: "one" });
    for (let index = 0; index < 1_000; index++) await ana.remember({ key: `k${index}`, value: `v${index}` });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("first", "the agent's claim");
    const slot = (await ana.facts()).filter((fact) => fact.key === "first");
    expect(slot.filter((fact) => fact.disputedWith === undefined).map((fact) => fact.value)).toEqual(["one"]);
  });
});

describe("slots", () => {
  it("G12/G13: an undo leaves one live value in a slot", async () => {
    const { memory, tick } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("city", "Porto");
    const second = await chat.remember("city", "Braga", { ttl: "1m" });
    tick(120_000);
    await chat.remember("city", "Faro");
    await memory.subject("ana").undo(second.id as string);
    const live = (await memory.subject("ana").facts()).filter((fact) => fact.key === "city");
    expect(live.map((fact) => fact.value)).toEqual(["Faro"]);
  });

  it("G12: a disputed claim is live once what it disputed has expired", async () => {
    const { memory, tick } = testMemory();
    await memory.subject("ana").remember({ key: "city", value: "Porto", ttl: "1h" });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("city", "Braga");
    tick(2 * 3_600_000);
    expect(await chat.recall("city")).toBe("Braga");
    expect(await chat.systemContext()).not.toContain("disputed");
  });

  it("F7/F8: what the cap pushed out takes its history with it, so that forgetting reaches it", async () => {
    const { memory } = testMemory({ policy: { enabled: true, longTerm: { enabled: true, maxAgentFacts: 2 } } });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("k", "the older value");
    await chat.remember("k", "the newer value");
    await chat.remember("x", "one");
    await chat.remember("y", "two");
    await chat.forget("k");
    expect((await memory.subject("ana").audit()).facts.filter((fact) => fact.key === "k")).toEqual([]);
  });

  it("G13: an undone member of a list is not in the list any more", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("likes", "the tea", { multiple: true });
    const wrong = await chat.remember("likes", "the war", { multiple: true });
    await chat.remember("likes", "the sea", { multiple: true });
    await memory.subject("ana").undo(wrong.id as string);
    expect(await chat.recall("likes")).toEqual(["the tea", "the sea"]);
  });
});

describe("what was forgotten", () => {
  it("G3: doesn't come back as the member of a list", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("meds", "prozac");
    await chat.forget("meds");
    expect((await chat.remember("meds", ["prozac"])).code).toBe("FORGOTTEN");
  });

  it("G3: doesn't come back one by one where it was a list", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("meds", ["prozac", "ibuprofen"]);
    await chat.forget("meds");
    expect((await chat.remember("meds", "prozac")).code).toBe("FORGOTTEN");
  });

  it("G3: is known again inside JSON, whatever its case and spaces", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("address", { street: "Main Street 5" });
    await chat.forget("address");
    expect((await chat.remember("address", { street: "main  street 5" })).code).toBe("FORGOTTEN");
  });

  it("G3: is known again with invisible characters in it", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("illness", "diabetes");
    await chat.forget("illness");
    expect((await chat.remember("illness", "dia\u200bbe\u00adtes")).code).toBe("FORGOTTEN");
  });

  it("G3: doesn't come back by undoing what had superseded it", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("illness", "diabetes");
    const later = await chat.remember("illness", "none");
    const free = await chat.remember({ topic: "health", value: "diabetes" });
    await chat.forget({ id: free.id as string });
    await memory.subject("ana").undo(later.id as string);
    expect(await chat.recall("illness")).toBeNull();
  });

  it("G3/F11: doesn't come back with the facts of a linked identity", async () => {
    const { memory } = testMemory();
    await memory.conversation({ id: "m", subject: "mail" }).remember("illness", "diabetes");
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.remember("illness", "diabetes");
    await chat.forget("illness");
    await memory.operator.link({ identity: "mail", subject: "ana" });
    expect(await chat.recall("illness")).toBeNull();
  });

  it("G3/F11: stays forgotten when the identity it was forgotten under is linked", async () => {
    const { memory } = testMemory();
    const mail = memory.conversation({ id: "m", subject: "mail" });
    await mail.remember("illness", "diabetes");
    await mail.forget("illness");
    await memory.operator.link({ identity: "mail", subject: "ana" });
    expect((await memory.conversation({ id: "c", subject: "ana" }).remember("illness", "diabetes")).code).toBe(
      "FORGOTTEN",
    );
  });
});

describe("disputes", () => {
  it("G12: both sides are shown as disputed, by recall, by the tool and in the prompt", async () => {
    const { memory } = testMemory();
    const ana = memory.subject("ana");
    await ana.remember({ key: "diet", value: "vegan", tags: ["food"] });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const claim = await chat.remember("diet", "eats meat");
    const [, holder] = await ana.facts();
    expect(holder).toMatchObject({ value: "vegan", disputedBy: [claim.id] });
    expect((await chat.recall({ tags: ["food"] })).facts[0]).toMatchObject({ disputedBy: [claim.id] });
    expect((await chat.systemContext()).match(/disputed: ask/g)).toHaveLength(2);
    const [recall] = memoryTools(chat, { only: ["memory_recall"] });
    expect((await recall?.run({}))?.match(/disputed: ask/g)).toHaveLength(2);
    // Forgotten, the one leaves the other undisputed.
    await chat.forget({ id: holder?.id as string });
    expect(await chat.recall("diet")).toBe("eats meat");
    expect((await ana.facts()).map(({ value, disputedWith }) => [value, disputedWith])).toEqual([
      ["eats meat", undefined],
    ]);
  });

  it("G12: a disputed claim said again by somebody who counts for more is stored once", async () => {
    const { memory } = testMemory();
    const ana = memory.subject("ana");
    await memory.operator.remember({ scope: "user", subject: "ana", key: "city", value: "Porto" });
    await memory.conversation({ id: "c", subject: "ana" }).remember("city", "Braga");
    expect((await ana.remember({ key: "city", value: "braga" })).status).toBe("unchanged");
    const facts = await ana.facts({ history: true });
    expect(facts.map(({ value, origin }) => [value, origin])).toEqual([
      ["Braga", "user"],
      ["Porto", "operator"],
    ]);
  });
});

describe("undoing", () => {
  it("G13: reaches what the agent wrote and nothing else, in the person's conversations too", async () => {
    const { memory } = testMemory();
    const ana = memory.subject("ana");
    const own = await ana.remember({ key: "city", value: "Porto" });
    expect(await ana.undo(own.id as string)).toMatchObject({ status: "refused", code: "NOT_UNDOABLE" });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [{ role: "user", content: "hello" }] });
    const here = await chat.remember("mood", "cheerful", { scope: "conversation" });
    expect((await ana.changes()).map(({ fact }) => fact.id)).toEqual([here.id]);
    expect(await ana.undo(here.id as string)).toMatchObject({ status: "stored" });
    expect(await chat.recall("mood", { scope: "conversation" })).toBeNull();
    expect((await chat.remember("mood", "cheerful", { scope: "conversation" })).code).toBe("FORGOTTEN");
    const lift = { scope: "conversation", conversation: "c", key: "mood", value: "cheerful" } as const;
    expect(await memory.operator.lift(lift)).toMatchObject({ status: "stored" });
    expect((await chat.remember("mood", "cheerful", { scope: "conversation" })).status).toBe("stored");
  });

  it("G13: the first member of a list goes too, and the rest of it isn't held against the person", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const first = await chat.remember("likes", "the tea", { multiple: true });
    await chat.remember("likes", "the sea", { multiple: true });
    await memory.subject("ana").undo(first.id as string);
    expect(await chat.recall("likes")).toEqual(["the sea"]);
    expect((await chat.remember("likes", "the tea", { multiple: true })).code).toBe("FORGOTTEN");
    expect((await chat.remember("likes", "the sky", { multiple: true })).status).toBe("merged");
  });
});

describe("what the model is told", () => {
  it("O2: a fact that only the operator can forget is told from one that isn't there", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const app = await memory.operator.remember({ scope: "app", key: "tone", value: "be brief" });
    const [forget] = memoryTools(chat, { only: ["memory_forget"] });
    expect(await forget?.run({ id: app.id })).toContain("by the operator only");
    expect(await forget?.run({ id: "nobody" })).toContain("No fact");
  });

  it("F1: near-duplicate keys are looked for in bounded time", async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `${"long_key_of_a_fact_".repeat(6)}${index}`);
    const before = performance.now();
    expect(similarKeys(`${"long_key_of_a_fact_".repeat(6)}x`, keys)).toHaveLength(5);
    expect(similarKeys("favourite_color", ["favourite_colour", "colour_favourite", "tea"])).toEqual([
      "favourite_colour",
    ]);
    expect(performance.now() - before).toBeLessThan(500);
  });
});
