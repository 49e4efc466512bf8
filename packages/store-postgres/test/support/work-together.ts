// One of several processes on one schema: turns of its own, turns of a shared conversation, turns that all of them write,
// and one fact that all of them count up. Prints what became of it.
import type { Fact, FactOwner, TurnWrite } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";

const [connectionString = "", schema = "", name = "", count = "0"] = process.argv.slice(2);
const store = postgresStore({ connectionString, schema, maxConnections: 4 });
const agent = { tenant: "acme", agent: "helper" };
const counter: FactOwner = { ...agent, scope: "user", id: "ann" };
const time = "2026-01-01T00:00:00.000Z";
const outcomes: Record<string, number> = {};

function turn(id: string): TurnWrite {
  const message = {
    id: `${id}-q`,
    role: "user" as const,
    parts: [{ type: "text" as const, text: id }],
    createdAt: time,
  };
  const messages = [message];
  return {
    turn: { id, status: "completed", startedAt: time, counted: 1, tokens: 9, messages },
    now: time,
    subject: "ann",
  };
}

async function record(conversation: string, id: string): Promise<void> {
  const { status } = await store.commitTurn({ ...agent, conversation }, turn(id));
  const key = `${conversation === name ? "own" : conversation} ${status}`;
  outcomes[key] = (outcomes[key] ?? 0) + 1;
}

/** Compare-and-set until it is through: an update that was lost would leave the number too low. */
async function countUp(): Promise<void> {
  for (;;) {
    const [set] = await store.readFacts([counter], { now: time, limit: 1 });
    const value = Number(set?.facts[0]?.value ?? 0) + 1;
    const fact: Fact = {
      id: "counter",
      value,
      type: "fact",
      tags: [],
      scope: "user",
      author: "agent",
      origin: "assistant",
      createdAt: time,
      updatedAt: time,
      validFrom: time,
      version: value,
    };
    const result = await store.commitFacts(counter, { expectedVersion: set?.version ?? 0, now: time, put: [fact] });
    if (result.status === "committed") return;
  }
}

for (let index = 0; index < Number(count); index++) {
  const work = [record(index % 2 === 0 ? "shared" : name, `${name}-${index}`)];
  if (index % 4 === 0) work.push(record("same", `same-${index}`), countUp());
  await Promise.all(work);
}
await store.close();
process.stdout.write(JSON.stringify(outcomes));
