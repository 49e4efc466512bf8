import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory } from "@throughline/core";
import { jsonlStore } from "./jsonl-store.ts";

/* A memory over a store of one's own: what is said survives, is found, and can be erased to the last byte. */

const folder = mkdtempSync(join(tmpdir(), "throughline-jsonl-"));
const path = join(folder, "memory.jsonl");
const open = () => createMemory({ agent: "diary", store: jsonlStore({ path }), env: {}, onEvent: () => {} });
const TURNS = 200;

try {
  const first = open();
  const diary = first.conversation({ id: "diary", subject: "ada" });
  for (let day = 1; day <= TURNS; day++) {
    const said = day === 7 ? "The quince tree is in bloom." : `Nothing happened on day ${day}.`;
    await diary.record({ messages: [{ role: "user", content: said }] });
  }
  await diary.remember("tree", "quince", { quote: "The quince tree" });
  const { capabilities, name, vectors } = (await first.manifest()).store;
  const has = Object.entries(capabilities).filter(([, isThere]) => isThere);
  console.log(`${name} says of itself: ${has.map(([ability]) => ability).join(", ")}; vectors: ${vectors}.`);
  deepEqual([name, vectors], ["example-jsonl", "exact fallback"]);
  await first.close();
  console.log(`${TURNS} days and a fact are in ${readFileSync(path, "utf8").split("\n").length} lines of JSON.`);

  // A process that dies in the middle of a write leaves half a line, which nobody was told of.
  appendFileSync(path, '[["half a li');
  const second = open();
  const again = second.conversation({ id: "diary", subject: "ada" });
  equal(await again.recall("tree"), "quince");
  equal((await again.info())?.turns, TURNS);
  console.log("Opened again, it is all there; a half-written line is not.");

  // Without an index core reads what was said.
  const start = performance.now();
  const { hits } = await again.search("quince bloom");
  equal(hits[0]?.message.parts[0]?.type === "text" && hits[0].message.parts[0].text, "The quince tree is in bloom.");
  console.log(`Searched ${TURNS} turns without an index in ${(performance.now() - start).toFixed(1)} ms.`);

  // Another process is refused while this one has the file.
  const script = `import { jsonlStore } from ${JSON.stringify(new URL("./jsonl-store.ts", import.meta.url).href)};
    const owner = { tenant: "default", agent: "diary", conversation: "diary" };
    await jsonlStore({ path: ${JSON.stringify(path)} }).readConversation(owner).catch((error) => console.log(error.code));`;
  const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning", "--input-type=module"];
  equal(execFileSync(process.execPath, [...flags, "-e", script], { encoding: "utf8" }).trim(), "STORE_BUSY");
  console.log("Another process is refused, with a code, while this one has the file.");

  const { removed, residue } = await second.subject("ada").erase();
  deepEqual([removed.turns, removed.facts, residue], [TURNS, 1, []]);
  ok(!/quince|Nothing happened/.test(readFileSync(path, "utf8")));
  await second.close();
  console.log("Erased, and no byte of it is left in the file.");

  const store = jsonlStore({ path });
  await store.close();
  await rejects(store.resolveSubject({ tenant: "default", agent: "diary" }, "ada"), { code: "STORE_CLOSED" });
  console.log("All as it should be.");
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
