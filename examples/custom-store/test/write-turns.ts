import { createMemory } from "@throughline/core";
import { jsonlStore } from "../src/jsonl-store.ts";

/* Records turns for ever; says of each, once it is acknowledged, that it is. */

const [path = ""] = process.argv.slice(2);
const memory = createMemory({ agent: "a", store: jsonlStore({ path }), env: {}, onEvent: () => {} });
const conversation = memory.conversation({ id: "c", subject: "ann" });
for (let turn = 1; ; turn++) {
  const messages = [
    { role: "user" as const, content: `question ${turn}` },
    { role: "assistant" as const, content: `answer ${turn}` },
  ];
  const { status } = await conversation.record({ id: `t${turn}`, messages });
  if (status !== "stored") throw new Error(`The turn was ${status}.`);
  process.stdout.write(`t${turn}\n`);
}
