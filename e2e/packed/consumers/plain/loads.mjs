// Which of core's files are read until a turn is durable, and which by the time that all work is done.
import { registerHooks } from "node:module";

const files = new Set();
registerHooks({
  load(url, context, next) {
    const [, file] = /@throughline\/core\/dist\/(.+)$/.exec(url) ?? [];
    if (file !== undefined) files.add(file);
    return next(url, context);
  },
});

const { createMemory } = await import("@throughline/core");
const { sqliteStore } = await import("@throughline/store-sqlite");
const [path] = process.argv.slice(2);
const memory = createMemory({ agent: "guide", store: sqliteStore({ path }), env: {} });
const conversation = memory.conversation({ id: "monday", subject: "ada" });
const turn = await conversation.begin({ messages: [{ role: "user", content: "Hello." }] });
await turn.complete([{ role: "assistant", content: "Hello, Ada." }]);
const stored = [...files];
await memory.settled();
const settled = [...files];
await memory.close();
console.log(JSON.stringify({ stored, settled }));
