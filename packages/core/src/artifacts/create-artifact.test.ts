import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testEngine } from "../../test/test-engine.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { inMemoryStore } from "../stores/in-memory-store.ts";
import { createArtifact } from "./create-artifact.ts";
import { offloadResult } from "./offload-result.ts";

const owner = { tenant: "default", agent: "helper", conversation: "c1" };
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");

async function kept(output: string, options: Parameters<typeof testEngine>[0] = {}) {
  const made = testEngine({ offloadChars: 100, pageChars: 200, ...options });
  const part = { type: "tool-result" as const, callId: "call", tool: "read_file", output };
  const { artifacts } = await offloadResult(made.engine, owner, part, {
    turn: "t1",
    startedAt: made.engine.now(),
    hasTools: true,
  });
  const id = artifacts[0] ?? "";
  return { ...made, id, artifact: createArtifact(made.engine, owner, id) };
}

async function text(artifact: ReturnType<typeof createArtifact>): Promise<string> {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await artifact.bytes());
}

describe("artifact pages", () => {
  it("W9: are numbered, say how many there are, and tell the line they begin in", async () => {
    const { artifact } = await kept(lines(100));
    const first = await artifact.page(1);
    const second = await artifact.page(2);
    expect(first).toMatchObject({ page: 1, pages: 4, encoding: "text", firstLine: 1, version: 1 });
    expect(second.firstLine).toBe(first.text.split("\n").length);
    for (const page of [0, -1, 5, 1.5, Number.NaN]) {
      await expect(artifact.page(page)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", details: { pages: 4 } });
    }
  });

  it("W9: give back half code points as they were", async () => {
    const odd = `${"x".repeat(150)}\ud83d broken \udc4d ${"y".repeat(150)}`;
    const { artifact } = await kept(odd, { pageChars: 40 });
    const { pages } = await artifact.info();
    let whole = "";
    for (let page = 1; page <= pages; page++) whole += (await artifact.page(page)).text;
    expect(whole).toBe(odd);
  });

  it("W9: no stored item is huge, whatever the policy asks for", async () => {
    const { store } = await kept("word ".repeat(200_000), { pageChars: 50_000_000 });
    const items = await store.readItems(owner, { prefix: "artifact/data/", limit: 1_000 });
    expect(items.length).toBe(10);
    for (const { bytes } of items) expect(bytes.length).toBeLessThanOrEqual(100_000);
  });
});

describe("artifact ids", () => {
  it("O2: tells a wrong id, another conversation's and one that is gone apart", async () => {
    const { engine, id, artifact } = await kept(lines(100));
    const why = async (given: string, of = owner) =>
      createArtifact(engine, of, given)
        .info()
        .catch((error: unknown) => (MemoryError.isInstance(error) ? [error.code, error.details.why] : error));
    expect(await why("report.txt")).toEqual(["NOT_FOUND", "malformed"]);
    expect(await why("")).toEqual(["NOT_FOUND", "malformed"]);
    expect(await why("../../artifact/info/")).toEqual(["NOT_FOUND", "malformed"]);
    expect(await why(id, { ...owner, conversation: "c2" })).toEqual(["NOT_FOUND", "other-conversation"]);
    expect(await why(`${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`)).toEqual(["NOT_FOUND", "missing"]);
    expect(await artifact.delete()).toBe(true);
    expect(await artifact.delete()).toBe(false);
    expect(await why(id)).toEqual(["NOT_FOUND", "missing"]);
  });

  it("A2: deleting leaves no byte of it", async () => {
    const { artifact, store } = await kept(lines(100));
    await artifact.patch([{ find: "line 50\n", replace: "changed\n" }]);
    await artifact.delete();
    expect(await store.readItems(owner, { prefix: "artifact/", limit: 10 })).toEqual([]);
  });

  it("F13/O2: asks whose conversation it is before each call", async () => {
    const { engine, id } = await kept(lines(100));
    const checkOwner = () => Promise.reject(new MemoryError("CONVERSATION_OWNER_MISMATCH", "Another's."));
    const artifact = createArtifact(engine, owner, id, { checkOwner });
    for (const call of [artifact.info(), artifact.page(1), artifact.bytes(), artifact.delete()]) {
      await expect(call).rejects.toMatchObject({ code: "CONVERSATION_OWNER_MISMATCH" });
    }
    await expect(artifact.patch([{ find: "a", replace: "b" }])).rejects.toMatchObject({
      code: "CONVERSATION_OWNER_MISMATCH",
    });
  });
});

describe("artifact patches", () => {
  it("W9: change a part and write only the pages it is on", async () => {
    const { artifact, store } = await kept(lines(500));
    const before = await store.readItems(owner, { prefix: "artifact/data/", limit: 1_000 });
    const outcome = await artifact.patch([
      { find: "line 250\n", replace: "LINE 250\n" },
      { lines: [1, 1], replace: "first" },
    ]);
    expect(outcome).toMatchObject({ status: "patched", version: 2 });
    const expected = lines(500).replace("line 250\n", "LINE 250\n").replace("line 1\n", "first\n");
    expect(await text(artifact)).toBe(expected);
    expect(await artifact.info()).toMatchObject({ version: 2, characters: expected.length });
    const after = await store.readItems(owner, { prefix: "artifact/data/", limit: 1_000 });
    const keys = new Set(after.map(({ key }) => key));
    const same = before.filter(({ key }) => keys.has(key)).length;
    // The change of length moves the text of the pages between the two edits, and no other.
    expect(same).toBeGreaterThan(before.length / 2 - 3);
    expect(after.map(({ bytes }) => new TextDecoder().decode(bytes)).join("")).not.toContain("line 250\n");
  });

  it("W9: change nothing where an edit can't be applied, and say which and why", async () => {
    const { artifact } = await kept(lines(100));
    const good = { find: "line 77\n", replace: "" };
    const refused = async (edit: Parameters<typeof artifact.patch>[0][number]) => artifact.patch([good, edit]);
    expect(await refused({ find: "nowhere", replace: "" })).toMatchObject({
      status: "refused",
      refusal: "text-not-found",
      edit: 1,
      version: 1,
    });
    expect(await refused({ find: "line 1", replace: "" })).toMatchObject({ refusal: "ambiguous", edit: 1 });
    expect(await refused({ lines: [101, 102], replace: "" })).toMatchObject({ refusal: "no-such-lines", edit: 1 });
    expect(await refused({ lines: [77, 78], replace: "" })).toMatchObject({ refusal: "overlapping" });
    expect(await artifact.patch([good], { ifVersion: 2 })).toMatchObject({ refusal: "conflict", version: 1 });
    expect(await artifact.patch([{ find: "line 77", replace: "line 77" }])).toEqual({
      status: "unchanged",
      version: 1,
    });
    expect(await text(artifact)).toBe(lines(100));
    // Callers without types hand over anything.
    const wrong: unknown[] = [[], "x", [{}], [{ find: 1, replace: "" }], [{ lines: [1], replace: "" }], [null]];
    for (const edits of wrong) {
      await expect(artifact.patch(edits as Parameters<typeof artifact.patch>[0])).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
      });
    }
  });

  it("W9: leave no crumbs: pages stay about as large as they were", async () => {
    const { artifact } = await kept(lines(300));
    const { pages } = await artifact.info();
    for (let line = 100; line < 300; line += 7) {
      await artifact.patch([{ find: `line ${line}\n`, replace: `line ${line}!\n` }]);
    }
    expect((await artifact.info()).pages).toBe(pages);
  });

  it("W9: refuse binary artifacts", async () => {
    const { engine } = testEngine({ offloadChars: 100 });
    const file = { type: "file" as const, mediaType: "application/zip", data: btoa("\u00ff\u00fe".repeat(2_000)) };
    const part = {
      type: "tool-result" as const,
      callId: "c",
      tool: "zip",
      output: [file],
      outputIs: "parts" as const,
    };
    const { artifacts } = await offloadResult(engine, owner, part, {
      turn: "t",
      startedAt: engine.now(),
      hasTools: true,
    });
    const artifact = createArtifact(engine, owner, artifacts[0] ?? "");
    expect(await artifact.patch([{ find: "a", replace: "b" }])).toMatchObject({ status: "refused", refusal: "binary" });
  });

  it("W9: may take everything away", async () => {
    const { artifact } = await kept(lines(30));
    expect(await artifact.patch([{ lines: [1, 30], replace: "" }])).toMatchObject({ pages: 1, characters: 0 });
    expect(await artifact.page(1)).toMatchObject({ text: "", pages: 1 });
  });

  it("F12/W9: the same idempotency key changes nothing twice", async () => {
    const { artifact } = await kept(lines(100));
    const edits = [{ find: "line 42\n", replace: "line 42 and line 42b\n" }];
    expect(await artifact.patch(edits, { idempotencyKey: "k" })).toMatchObject({ status: "patched", version: 2 });
    expect(await artifact.patch([{ find: "line 43", replace: "x" }], { idempotencyKey: "l" })).toMatchObject({
      version: 3,
    });
    expect(await artifact.patch(edits, { idempotencyKey: "k" })).toEqual({ status: "unchanged", version: 3 });
  });

  it("W9/F12: of two at once both are kept, in any order, and a line edit is not applied to another version", async () => {
    const { artifact, engine, id } = await kept(lines(400));
    const edits = [3, 99, 200, 201, 399].map((line) => ({ find: `line ${line}\n`, replace: `done ${line}\n` }));
    const outcomes = await Promise.all(edits.map((edit) => createArtifact(engine, owner, id).patch([edit])));
    const done = outcomes.filter(({ status }) => status === "patched").length;
    expect(done).toBeGreaterThanOrEqual(4);
    expect(await artifact.info()).toMatchObject({ version: done + 1 });
    const whole = await text(artifact);
    outcomes.forEach(({ status }, at) => {
      expect(whole.includes(edits[at]?.replace ?? "")).toBe(status === "patched");
    });
    const byLine = await Promise.all(
      [1, 2].map(() => createArtifact(engine, owner, id).patch([{ lines: [10, 10], replace: "ten" }])),
    );
    expect(byLine.map((outcome) => ("refusal" in outcome ? outcome.refusal : outcome.status)).sort()).toEqual([
      "conflict",
      "patched",
    ]);
  });

  it("W9: leave no page behind that nobody reads", async () => {
    const { artifact, engine, id, store } = await kept(lines(300));
    await Promise.all(
      [1, 2, 3].map((hundred) =>
        createArtifact(engine, owner, id).patch([{ find: `line ${hundred}00`, replace: `hundred ${hundred}` }]),
      ),
    );
    const { pages } = await artifact.info();
    expect(await store.readItems(owner, { prefix: "artifact/data/", limit: 1_000 })).toHaveLength(pages);
  });

  it("PR3/W9: a store that fails at any call leaves the old text or the new one, never a mixture", async () => {
    const edits = [{ find: "line 150\n", replace: "changed\n" }];
    const after = lines(300).replace("line 150\n", "changed\n");
    let failures = 0;
    for (let failAt = 1; failAt <= 6; failAt++) {
      for (const when of ["before", "after"] as const) {
        const { store, id } = await kept(lines(300));
        const { engine } = testEngine({ store: failing(store, failAt, when), pageChars: 200 });
        const outcome = await createArtifact(engine, owner, id)
          .patch(edits, { idempotencyKey: "k" })
          .catch((error: unknown) => error);
        const handle = createArtifact(testEngine({ store }).engine, owner, id);
        const now = await text(handle);
        expect([lines(300), after]).toContain(now);
        if (MemoryError.isInstance(outcome)) failures += 1;
        else expect(now).toBe(after);
        await handle.patch(edits, { idempotencyKey: "k" });
        expect(await text(handle)).toBe(after);
      }
    }
    expect(failures).toBeGreaterThan(2);
  });

  it("W9: any edits give what a plain replacement gives, in pages that are the whole", async () => {
    const word = fc.constantFrom("a", "bb", "\n", "é", "👩‍👩‍👧", "\u0301", "🇩🇪", " ");
    const start = fc.array(word, { minLength: 80, maxLength: 140 });
    const change = fc.record({ at: fc.nat(1_000), length: fc.nat(30), put: fc.array(word, { maxLength: 20 }) });
    await fc.assert(
      fc.asyncProperty(start, fc.array(change, { minLength: 1, maxLength: 4 }), async (words, changes) => {
        let expected = words.join("").padEnd(101, "x");
        const { artifact } = await kept(expected, { pageChars: 16 });
        for (const { at, length, put } of changes) {
          const from = at % Math.max(1, expected.length);
          const find = expected.slice(from, from + length);
          const unique = find !== "" && expected.indexOf(find) === expected.lastIndexOf(find);
          const outcome = await artifact.patch([{ find, replace: put.join("") }]);
          if (!unique) {
            expect(outcome.status).toBe("refused");
            continue;
          }
          expected = expected.slice(0, from) + put.join("") + expected.slice(from + length);
        }
        const { pages } = await artifact.info();
        let whole = "";
        for (let page = 1; page <= pages; page++) whole += (await artifact.page(page)).text;
        expect(whole).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });
});

/** The store with one call that fails, before or after it did its work; later calls go through. */
function failing(store: MemoryStore, failAt: number, when: "before" | "after"): MemoryStore {
  let calls = 0;
  const wrap =
    <Given extends unknown[], Answer>(method: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      calls += 1;
      const fails = calls === failAt;
      const refuse = () => new MemoryError("STORE_FAILED", "As scripted.", { retryable: false });
      if (fails && when === "before") throw refuse();
      const answer = await method(...given);
      if (fails) throw refuse();
      return answer;
    };
  const inner = store ?? inMemoryStore();
  return { ...inner, readItems: wrap(inner.readItems), commitItems: wrap(inner.commitItems) };
}
