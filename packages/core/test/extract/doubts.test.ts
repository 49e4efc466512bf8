import { describe, expect, it } from "vitest";
import { assistant, user } from "../support.ts";
import { extracting, scripted } from "./distillers.ts";

/** Ana's doubts: a job that nobody said, of turn `t1` of conversation `c`. */
async function doubting(when: "after-reply" | "scheduled" = "after-reply") {
  const { distiller } = scripted({
    Porto: [
      { key: "city", value: "Porto", quote: "I live in Porto" },
      { key: "job", topic: "work", value: "pilot", quote: "I fly planes" },
    ],
  });
  const { memory } = extracting(distiller, { policy: { extract: { when } } });
  const chat = memory.conversation({ id: "c", subject: "ana" });
  await chat.record({ id: "t1", messages: [{ id: "m1", ...user("I live in Porto.") }, assistant("I see.")] });
  await memory.settled();
  await memory.distill();
  const doubts = async (who = "ana") => (await memory.subject(who).audit()).quarantined.map(({ value }) => value);
  expect(await doubts()).toEqual(["pilot"]);
  return { memory, chat, doubts };
}

describe("what was quarantined", () => {
  it("G3/F8: goes with what the person has forgotten, by key and all of it", async () => {
    for (const what of [{ key: "Job" }, { all: true }] as const) {
      const { chat, doubts } = await doubting();
      await chat.forget({ key: "city" });
      await chat.forget({ ...what, dryRun: true });
      expect(await doubts()).toEqual(["pilot"]);
      await chat.forget(what);
      expect(await doubts()).toEqual([]);
    }
  });

  it("A2/G4: goes with the message it was drawn from", async () => {
    const { chat, doubts } = await doubting();
    await chat.deleteMessages(["m1"]);
    expect(await doubts()).toEqual([]);
  });

  it("A2/G4: is nobody's once its conversation is another person's", async () => {
    for (const how of ["rebound", "transferred"]) {
      const { memory, chat, doubts } = await doubting();
      if (how === "rebound") await chat.rebindSubject("bo");
      else await memory.operator.transfer({ conversation: "c", subject: "bo" });
      expect([await doubts(), await doubts("bo")]).toEqual([[], []]);
    }
  });

  it("A2/G4: goes with a conversation of several people, though it was drawn when it was another's", async () => {
    const { memory, chat, doubts } = await doubting("scheduled");
    for (const who of ["bo", "cy"]) {
      await chat.rebindSubject(who);
      // The one that was under way goes to the next person with the conversation; the first stays.
      for (let turn = 0; turn < 2; turn++)
        await chat.record({ messages: [user("I live in Porto."), assistant("I see.")] });
    }
    await memory.distill();
    expect([await doubts("bo"), await doubts("cy")]).toEqual([["pilot"], ["pilot"]]);
    await chat.delete();
    expect([await doubts(), await doubts("bo"), await doubts("cy")]).toEqual([[], [], []]);
  });

  it("F11/A2: of a linked identity goes when the person is erased", async () => {
    const { memory, doubts } = await doubting();
    await memory.operator.link({ identity: "ana", subject: "ana-maria" });
    await memory.subject("ana-maria").erase();
    await memory.operator.unlink({ identity: "ana" });
    expect([await doubts(), await doubts("ana-maria")]).toEqual([[], []]);
  });

  it("A1: is in the person's export, and in no prompt or recall", async () => {
    const { memory, chat } = await doubting();
    expect(JSON.stringify(await memory.subject("ana").export())).toContain("pilot");
    expect(await chat.systemContext()).not.toContain("pilot");
    expect(await chat.recall("job")).toBeNull();
  });
});
