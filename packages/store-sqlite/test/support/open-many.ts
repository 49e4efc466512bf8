// Opens one new file after the other, each at its moment, and writes a turn to it at once.
import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";

const [folder = "", name = "", count = "0", moment = "0"] = process.argv.slice(2);
const GAP_MS = 20;
const time = "2026-01-01T00:00:00.000Z";

for (let index = 0; index < Number(count); index++) {
  const store = sqliteStore({ path: join(folder, `${index}.db`) });
  // The second comes up to a millisecond before or after the first.
  const late = name === "right" ? ((index * 7) % 40) / 20 : 1;
  while (performance.timeOrigin + performance.now() < Number(moment) + index * GAP_MS + late);
  const messages = [
    { id: name, role: "user" as const, parts: [{ type: "text" as const, text: name }], createdAt: time },
  ];
  await store.commitTurn(
    { tenant: "acme", agent: "helper", conversation: name },
    { turn: { id: name, status: "completed", startedAt: time, counted: 1, tokens: 3, messages }, now: time },
  );
  await store.close();
}
process.stdout.write("written");
