// A child process: takes turns through the public API until it is done or killed, and says which were acknowledged.
import { writeSync } from "node:fs";
import { createMemory } from "@throughline/core";
import { countUp } from "./count-up.ts";
import { openStore } from "./open-store.ts";
import { PROOF_AGENT, turnTexts } from "./turn-texts.ts";

const [place = "", name = "", count = "Infinity", shared = "", outages = ""] = process.argv.slice(2);
const store = openStore(place);
const memory = createMemory({ agent: PROOF_AGENT, store, env: {} });

for (let index = 0; index < Number(count); index++) {
  const id = `${name}-${index}`;
  // Every second turn of several writers goes to one conversation, and every eighth counts one fact up.
  const conversation = shared !== "" && index % 2 === 0 ? shared : name;
  const [question, answer] = turnTexts(id);
  const turn = await memory
    .conversation({ id: conversation, subject: "person" })
    .begin({ id, messages: [{ role: "user", content: question }] });
  const outcome = await turn.complete([{ role: "assistant", content: answer }]);
  if (outcome.status === "stored") writeSync(1, `${conversation} ${id}\n`);
  else if (outages === "") throw new Error(`Turn ${id} is ${outcome.status}.`);
  if (shared !== "" && index % 8 === 0) {
    await countUp(store);
    writeSync(1, `counted ${id}\n`);
  }
}
await memory.close();
