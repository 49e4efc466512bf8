// What a desktop client starts: one person's memory over stdin and stdout.
import { createMemory } from "@throughline/core";
import { serveStdio } from "@throughline/mcp";
import { sqliteStore } from "@throughline/store-sqlite";

const [path = "memory.db", subject = "ada"] = process.argv.slice(2);
const memory = createMemory({ agent: "guide", store: sqliteStore({ path }) });
const connection = serveStdio(memory, { subject });

process.stdin.on("end", async () => {
  await connection.close();
  await memory.close();
});
