import { describe, expect, it } from "vitest";
import { extracting, scripted } from "./extract/distillers.ts";
import { assistant, texts, user } from "./support.ts";

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
