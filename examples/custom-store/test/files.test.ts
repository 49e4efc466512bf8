import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory } from "@throughline/core";
import { expect, it, onTestFinished } from "vitest";
import { jsonlStore } from "../src/jsonl-store.ts";

const HEAD = '{"format":"throughline-example-jsonl","version":1}\n';

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "throughline-jsonl-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "memory.jsonl");
  writeFileSync(path, text);
  return path;
}

const anyCall = (path: string) => jsonlStore({ path }).resolveSubject({ tenant: "t", agent: "a" }, "ann");

it.each([
  ["a line that is no JSON", `${HEAD}oops\n[]\n`, "STORE_CORRUPT"],
  ["the first line of something else", '{"hello":1}\n', "STORE_CORRUPT"],
  ["a newer version", HEAD.replace("1}", "2}"), "STORE_NEWER"],
])("J5: %s is refused with a code, and the file is left as it is", async (_name, text, code) => {
  const path = fileOf(text);
  await expect(anyCall(path)).rejects.toMatchObject({ code });
  expect(readFileSync(path, "utf8")).toBe(text);
});

it("J5: a folder that isn't there is a store that can't be reached, and the reply goes on", async () => {
  const path = join(fileOf(""), "nowhere", "memory.jsonl");
  await expect(anyCall(path)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  const memory = createMemory({ agent: "a", store: jsonlStore({ path }), env: {}, onEvent: () => {} });
  const turn = await memory.conversation({ id: "c" }).begin({ messages: [{ role: "user", content: "Hi" }] });
  expect(turn.degraded).toBe(true);
});

it("J5: half a line at the end was never acknowledged: it goes, and what is written next can be read", async () => {
  const path = fileOf(`${HEAD}[["[\\"x\\"]","kept",1]]\n[["[\\"x\\"]","ha`);
  const store = jsonlStore({ path });
  await store.linkIdentity({ tenant: "t", agent: "a" }, { identity: "mail", subject: "ann", since: "2026-01-01" });
  await store.close();
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines.slice(0, 2)).toEqual([HEAD.trim(), '[["[\\"x\\"]","kept",1]]']);
  expect(await jsonlStore({ path }).resolveSubject({ tenant: "t", agent: "a" }, "mail")).toBe("ann");
});

it("J1: of two handles the newer one has the file; the older one writes nothing over it", async () => {
  const path = fileOf("");
  const owner = { tenant: "t", agent: "a" };
  const older = jsonlStore({ path });
  expect(await older.claimLease(owner, { name: "l", holder: "h", now: "2026-01-01T00:00:00.000Z", leaseMs: 1 })).toBe(
    true,
  );
  const newer = jsonlStore({ path });
  await newer.linkIdentity(owner, { identity: "mail", subject: "ann", since: "2026-01-01" });
  const late = older.linkIdentity(owner, { identity: "mail", subject: "eve", since: "2026-01-01" });
  await expect(late).rejects.toMatchObject({ code: "STORE_BUSY" });
  await older.close();
  await newer.close();
  expect(await jsonlStore({ path }).resolveSubject(owner, "mail")).toBe("ann");
});
