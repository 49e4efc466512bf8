// Writes turns until it is told to stop or killed; prints the id of each that was acknowledged.
import { writeSync } from "node:fs";
import { postgresStore } from "@throughline/store-postgres";

const [connectionString = "", schema = "", name = "", count = "Infinity"] = process.argv.slice(2);
const store = postgresStore({ connectionString, schema, maxConnections: 2 });
const time = "2026-01-01T00:00:00.000Z";

for (let index = 0; index < Number(count); index++) {
  const id = `${name}-${index}`;
  const messages = [0, 1, 2].map((position) => ({
    id: `${id}-${position}`,
    role: "user" as const,
    parts: [{ type: "text" as const, text: `${id} `.repeat(200) }],
    createdAt: time,
  }));
  const result = await store.commitTurn(
    { tenant: "acme", agent: "helper", conversation: name },
    { turn: { id, status: "completed", startedAt: time, counted: 3, tokens: 9, messages }, now: time },
  );
  if (result.status !== "stored") throw new Error(`Turn ${id} is ${result.status}.`);
  writeSync(1, `${id} ${result.seq}\n`);
}
await store.close();
