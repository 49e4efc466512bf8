import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

/** Begins to erase a subject and is killed in the middle of it. */
const [path = ""] = process.argv.slice(2);
const memory = createMemory({ agent: "helper", env: {}, store: sqliteStore({ path }), onEvent: () => {} });
await memory.manifest();
void memory.subject("ana").erase();
setTimeout(() => process.kill(process.pid, "SIGKILL"), 1);
