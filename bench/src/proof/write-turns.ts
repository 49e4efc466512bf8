// A child process: takes turns through the public API until it is done or killed, and says which were acknowledged.
import { writeSync } from "node:fs";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { PROOF_AGENT, turnTexts } from "./turn-texts.ts";

const [path = "", name = "", count = "Infinity", shared = ""] = process.argv.slice(2);
const memory = createMemory({ agent: PROOF_AGENT, store: sqliteStore({ path }), env: {} });

for (let index = 0; index < Number(count); index++) {
  const id = `${name}-${index}`;
  // Every second turn of two writers goes to one conversation.
  const conversation = shared !== "" && index % 2 === 0 ? shared : name;
  const [question, answer] = turnTexts(id);
  const turn = await memory
    .conversation({ id: conversation, subject: "person" })
    .begin({ id, messages: [{ role: "user", content: question }] });
  const outcome = await turn.complete([{ role: "assistant", content: answer }]);
  if (outcome.status !== "stored") throw new Error(`Turn ${id} is ${outcome.status}.`);
  writeSync(1, `${conversation} ${id}\n`);
}
await memory.close();
