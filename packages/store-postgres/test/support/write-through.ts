// Writes turns until its input ends, each again and again until it is acknowledged; prints the id of each that was, and
// with a minus what was refused on the way.
import { writeSync } from "node:fs";
import { MemoryError } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";

const [connectionString = "", schema = "", name = ""] = process.argv.slice(2);
const store = postgresStore({ connectionString, schema, maxConnections: 2 });
const time = "2026-01-01T00:00:00.000Z";
let isOn = true;
process.stdin.once("end", () => {
  isOn = false;
});
process.stdin.resume();

async function write(id: string): Promise<void> {
  const messages = ["q", "a"].map((kind) => ({
    id: `${id}-${kind}`,
    role: "user" as const,
    parts: [{ type: "text" as const, text: `${id} `.repeat(50) }],
    createdAt: time,
  }));
  const turn = { id, status: "completed" as const, startedAt: time, counted: 2, tokens: 9, messages };
  const owner = { tenant: "acme", agent: "helper", conversation: name };
  for (;;) {
    try {
      const { status } = await store.commitTurn(owner, { turn, now: time });
      if (status !== "stored" && status !== "exists") throw new Error(`Turn ${id} is ${status}.`);
      writeSync(1, `${id}\n`);
      return;
    } catch (error) {
      if (!MemoryError.isInstance(error) || !error.retryable) throw error;
      writeSync(1, `-${error.code}\n`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

for (let index = 0; isOn; index++) await write(`${name}-${index}`);
await store.close();
