// Distils, and is killed where it is told to: while the model answers, once the facts are written, or at a moment.
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

const [path = "", place = "", answer = "", when = "0"] = process.argv.slice(2);
const die = (): void => void process.kill(process.pid, "SIGKILL");
const store = sqliteStore({ path });
const killing = {
  ...store,
  async commitFacts(...args: Parameters<typeof store.commitFacts>) {
    const result = await store.commitFacts(...args);
    if (place === "facts-written") die();
    return result;
  },
  async settleWork(...args: Parameters<typeof store.settleWork>) {
    await store.settleWork(...args);
    if (place === "watermark-moved" && args[1].watermarks?.extract !== undefined) die();
  },
};
const memory = createMemory({
  agent: "helper",
  env: {},
  store: killing,
  onEvent: () => {},
  policy: { extract: { when: "scheduled" } },
  distiller: ({ turns, events }) => {
    if (place === "model-answers") die();
    // Another run's model answers in other words.
    return [
      ...turns.map(({ id }) => ({
        topic: `plant ${id}`,
        value: `${answer} ${id.slice(1)}`,
        quote: `I grow a plant ${id.slice(1)}`,
        turn: id,
        confidence: 1,
      })),
      ...events.map(({ id }) => ({
        topic: `event ${id}`,
        value: "a plant",
        quote: "a plant",
        turn: id,
        confidence: 1,
      })),
    ];
  },
});
if (place === "any") setTimeout(die, Number(when));
process.stdout.write(`${JSON.stringify(await memory.distill())}\n`);
await memory.close();
