import { describe, expect, it } from "vitest";
import { inMemoryStore } from "../src/index.ts";
import { extracting, scripted } from "./extract/distillers.ts";
import { assistant, testMemory, texts, user } from "./support.ts";

const DAY_MS = 86_400_000;
const policy = {
  enabled: true,
  carryOver: { enabled: true },
  extract: { when: "after-reply" },
  retention: { messages: "10d" },
} as const;

describe("copies of what retention erases", () => {
  it("PR7/A4: what was quarantined and what was carried over go with the turns they are of", async () => {
    const { distiller } = scripted({
      Porto: [
        { key: "city", value: "Porto", quote: "I live in Porto" },
        { key: "job", value: "pilot", quote: "Porto made me fly" },
      ],
    });
    const { memory, tick } = extracting(distiller, {
      policy,
      summarizer: ({ turns }) => turns.flatMap(({ messages }) => texts(messages)).join(" "),
    });
    const chat = memory.conversation({ id: "c", subject: "ana", login: "monday" });
    await chat.record({ id: "t1", messages: [user("I live in Porto."), assistant("I see.")] });
    await memory.settled();
    const told = async () => JSON.stringify(await memory.subject("ana").export());
    const audit = await memory.subject("ana").audit();
    expect([audit.quarantined.length, audit.carryOver.length, audit.facts.length]).toEqual([1, 1, 1]);
    tick(11 * DAY_MS);
    await memory.operator.sweepRetention({ dryRun: true });
    expect(await memory.subject("ana").audit()).toMatchObject({ quarantined: [{}], carryOver: [{}] });
    await memory.operator.sweepRetention();
    expect(await memory.subject("ana").audit()).toMatchObject({
      quarantined: [],
      carryOver: [],
      facts: [{ value: "Porto", source: { conversation: "c", turn: "t1" } }],
    });
    expect(await told()).not.toContain("I live in");
    expect(await told()).not.toContain("made me fly");
  });
});

describe("a quote whose turn is looked up", () => {
  it("PR7/G4: isn't kept where another process erases its words meanwhile", async () => {
    const base = inMemoryStore();
    let meanwhile = async (): Promise<unknown> => undefined;
    const commitFacts: typeof base.commitFacts = async (...given) => {
      const running = meanwhile;
      meanwhile = async () => undefined;
      await running();
      return base.commitFacts(...given);
    };
    const { memory } = testMemory({ store: { ...base, commitFacts } });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t1", messages: [{ ...user("My dog is called Rex"), id: "m1" }, assistant("Hello")] });
    const another = testMemory({ store: base }).memory.conversation({ id: "c", subject: "ana" });
    meanwhile = () => another.deleteMessages(["m1"]);
    await chat.remember("dog", "yes", { quote: "My dog is called Rex" });
    const [fact] = await memory.subject("ana").facts();
    expect(fact).toMatchObject({ value: "yes", source: { conversation: "c", turn: "t1" } });
    expect(fact?.source?.quote).toBeUndefined();
  });

  it("G4/G10: is nobody's in a conversation that is another person's", async () => {
    const { memory } = testMemory();
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user("My pin is 4711")] });
    await memory.conversation({ id: "c", subject: "bob" }).remember("guess", 1, { quote: "My pin is 4711" });
    expect((await memory.subject("bob").facts())[0]?.source).toBeUndefined();
  });
});
