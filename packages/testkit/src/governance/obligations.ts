import { type GovernanceCheck, has, said } from "./governance-check.ts";
import type { GovernedMemory, GovernedTurn } from "./governed-memory.ts";

const porto = (): GovernedTurn =>
  said("I live in Porto.", { proposes: [{ key: "city", text: "Porto", quote: "I live in Porto" }] });
const braga = (): GovernedTurn =>
  said("I moved to Braga.", { proposes: [{ key: "city", text: "Braga", quote: "I moved to Braga" }] });

const must = (id: string, title: string, holds: (memory: GovernedMemory) => Promise<boolean>): GovernanceCheck => ({
  id,
  kind: "obligation",
  title,
  holds,
});

/** What a memory owes the people it remembers. One that remembers nothing meets none of it. */
export const OBLIGATIONS: readonly GovernanceCheck[] = [
  must("remember", "what a person states is known", async (memory) => {
    await memory.turn(porto());
    return has(await memory.known("ana"), "Porto");
  }),
  must("show", "what is known is in the prompt of the person's next conversation", async (memory) => {
    await memory.turn(porto());
    return has([await memory.prompt("ana", "tuesday")], "Porto");
  }),
  must("update", "a changed fact is known with its new value, and only with that", async (memory) => {
    await memory.turn(porto());
    await memory.turn(braga());
    const known = await memory.known("ana");
    return has(known, "Braga") && !has(known, "Porto");
  }),
  must("history", "what was true before can still be seen", async (memory) => {
    await memory.turn(porto());
    await memory.turn(braga());
    return has((await memory.history("ana")) ?? [], "Porto");
  }),
  must("evidence", "a fact names the turn and the words it rests on", async (memory) => {
    const turn = porto();
    await memory.turn(turn);
    const why = await memory.why("ana", "Porto");
    return why?.turn === turn.id && why.quote !== undefined && turn.user.includes(why.quote);
  }),
  must("language", "a fact stays in the person's own language", async (memory) => {
    await memory.turn(said("我住在波尔图。", { proposes: [{ key: "city", text: "波尔图", quote: "我住在波尔图" }] }));
    return has(await memory.known("ana"), "波尔图");
  }),
  must("dates", "“yesterday” is kept with the day that it was", async (memory) => {
    const quote = "I began at the bakery yesterday";
    await memory.turn(said(`${quote}.`, { proposes: [{ key: "job", text: "began at the bakery yesterday", quote }] }));
    return has(await memory.known("ana"), "2026-03-01");
  }),
  must("salvage", "of a model's answer that is cut off, what is whole is kept", async (memory) => {
    await memory.turn({
      ...porto(),
      isBroken: true,
      proposes: [
        { key: "city", text: "Porto", quote: "I live in Porto" },
        { key: "pet", text: "cat", quote: "cat" },
      ],
    });
    return has(await memory.known("ana"), "Porto");
  }),
  must("agree", "what the person agrees to is known", async (memory) => {
    await memory.turn(said("Bonjour!", { assistant: "Bonjour! Shall I always answer in French?" }));
    const proposes = [{ key: "reply_language", text: "always answer in French", quote: "Yes, please" }];
    await memory.turn(said("Yes, please!", { proposes }));
    return has(await memory.known("ana"), "French");
  }),
  must("forget", "what the person has forgotten is known no more, and it is said that it went", async (memory) => {
    await memory.turn(porto());
    if (!has(await memory.known("ana"), "Porto")) return false;
    const gone = await memory.forget("ana", { key: "city", text: "Porto" });
    return gone === 1 && !has(await memory.known("ana"), "Porto");
  }),
  must("erase", "everything of a person can be erased, and it is said how much went", async (memory) => {
    await memory.turn(porto());
    if (!has(await memory.known("ana"), "Porto")) return false;
    const gone = await memory.erase("ana");
    return gone !== null && gone > 0 && (await memory.known("ana")).length === 0;
  }),
  must("undo", "what was remembered wrongly can be taken back, and what it replaced is true again", async (memory) => {
    await memory.turn(porto());
    await memory.turn(braga());
    if ((await memory.undo("ana", "Braga")) !== true) return false;
    const known = await memory.known("ana");
    return has(known, "Porto") && !has(known, "Braga");
  }),
  must("export", "everything of a person can be taken elsewhere, with the words it rests on", async (memory) => {
    await memory.turn(porto());
    const data = await memory.export("ana");
    return ['"Porto"', "I live in Porto"].every((words) => data?.includes(words));
  }),
  must("merge", "what is said again is known once", async (memory) => {
    for (let time = 0; time < 3; time++) await memory.turn(porto());
    return (await memory.known("ana")).filter((text) => text.includes("Porto")).length === 1;
  }),
];
