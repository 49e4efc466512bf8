import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testEngine } from "../../test/test-engine.ts";
import type { Json } from "../contract/json.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import type { FilePart, Part, ToolResultPart } from "../contract/message.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { inMemoryStore } from "../stores/in-memory-store.ts";
import { createArtifact } from "./create-artifact.ts";
import { cutResult, cutResults } from "./cut-result.ts";
import { listArtifacts } from "./list-artifacts.ts";
import { offloadResult } from "./offload-result.ts";

const owner = { tenant: "default", agent: "helper", conversation: "c1" };
const context = { turn: "t1", startedAt: "2026-03-01T09:00:00.000Z", hasTools: true };
const result = (output: Json | Part[], extra: Partial<ToolResultPart> = {}): ToolResultPart => ({
  type: "tool-result",
  callId: "call-1",
  tool: "fetch",
  output,
  ...extra,
});
const partsResult = (...parts: Part[]): ToolResultPart => result(parts, { outputIs: "parts" });
const file = (mediaType: string, data: string, name?: string): FilePart => ({
  type: "file",
  mediaType,
  data,
  ...(name === undefined ? {} : { name }),
});
const log = Array.from({ length: 2_000 }, (_, line) => `line ${line + 1}: something happened`).join("\n");

async function wholeText(engine: ReturnType<typeof testEngine>["engine"], id: string): Promise<string> {
  const artifact = createArtifact(engine, owner, id);
  const { pages } = await artifact.info();
  let text = "";
  for (let page = 1; page <= pages; page++) text += (await artifact.page(page)).text;
  return text;
}

describe("offloading tool results", () => {
  it("W9: leaves a result of up to offloadChars as it is", async () => {
    const { engine, store } = testEngine();
    const part = result("x".repeat(30_000));
    expect(await offloadResult(engine, owner, part, context)).toEqual({ shown: part, recorded: part, artifacts: [] });
    expect(await store.readItems(owner, { prefix: "", limit: 10 })).toEqual([]);
  });

  it("W9: keeps a larger one as an artifact and shows its beginning, its end and how to read on", async () => {
    const { engine } = testEngine();
    const { shown, recorded, artifacts } = await offloadResult(engine, owner, result(log), context);
    const [id = ""] = artifacts;
    const text = String(shown.output);
    expect(text.length).toBeLessThan(2_500);
    expect(text.split("\n")[0]).toBe(
      `[Kept as artifact "${id}": ${log.length} characters. Read it with get_artifact, 3 pages; change it with patch_artifact. Beginning and end:]`,
    );
    expect(text).toContain("\nline 1: something happened\n");
    expect(text.endsWith("\nline 2000: something happened")).toBe(true);
    expect(text).toMatch(/\n\[… \d+ characters left out …\]\nline /);
    expect(shown).toMatchObject({ callId: "call-1", tool: "fetch" });
    expect(recorded).toBe(shown);
    expect(await wholeText(engine, id)).toBe(log);
    expect(await createArtifact(engine, owner, id).info()).toMatchObject({
      kind: "text",
      mediaType: "text/plain",
      characters: log.length,
      pages: 3,
      tool: "fetch",
      callId: "call-1",
      turn: "t1",
      version: 1,
    });
  });

  it("W9: shows JSON indented, so that its pages have lines", async () => {
    const { engine } = testEngine();
    const value = { rows: Array.from({ length: 2_000 }, (_, row) => ({ row, name: `name ${row}` })) };
    const { artifacts } = await offloadResult(engine, owner, result(value), context);
    const text = await wholeText(engine, artifacts[0] ?? "");
    expect(JSON.parse(text)).toEqual(value);
    expect(text.split("\n").length).toBeGreaterThan(6_000);
    expect(await createArtifact(engine, owner, artifacts[0] ?? "").info()).toMatchObject({ kind: "json" });
  });

  it("W9: doesn't blow deeply nested JSON up with indentation", async () => {
    const { engine } = testEngine({ offloadChars: 1_000 });
    let deep: Json = "x";
    for (let depth = 0; depth < 190; depth++) deep = [deep, 1, 2, 3];
    const { artifacts } = await offloadResult(engine, owner, result(deep), context);
    const text = await wholeText(engine, artifacts[0] ?? "");
    expect(JSON.parse(text)).toEqual(deep);
    expect(text.length).toBeLessThan(JSON.stringify(deep).length * 4);
  });

  it("W9: keeps binary parts as bytes, text files as text, and leaves the small parts in place", async () => {
    const { engine } = testEngine();
    const bytes = Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7) % 256);
    const csv = "größe,menge\n".repeat(5_000);
    const part = partsResult(
      { type: "text", text: "Here they are." },
      file("application/zip", btoa(String.fromCharCode(...bytes)), "all.zip"),
      file("text/csv", btoa(String.fromCharCode(...new TextEncoder().encode(csv)))),
    );
    const { shown, artifacts } = await offloadResult(engine, owner, part, context);
    const [zip = "", text = ""] = artifacts;
    expect(shown.outputIs).toBe("parts");
    expect(shown.output).toMatchObject([
      { type: "text", text: "Here they are." },
      {
        type: "text",
        text: expect.stringMatching(`^\\[Kept as artifact "${zip}": 50000 bytes of application/zip \\(all.zip\\)`),
      },
      { type: "text", text: expect.stringContaining(text) },
    ]);
    expect(await createArtifact(engine, owner, zip).bytes()).toEqual(bytes);
    expect(btoa(String.fromCharCode(...bytes))).toBe(await wholeText(engine, zip));
    expect(await createArtifact(engine, owner, zip).page(2)).toMatchObject({ encoding: "base64", pages: 4 });
    expect(await wholeText(engine, text)).toBe(csv);
    expect(await createArtifact(engine, owner, text).info()).toMatchObject({ kind: "text", mediaType: "text/csv" });
  });

  it("W9: keeps many small parts together, and leaves in what a model looks at where the host says so", async () => {
    const { engine } = testEngine();
    const many = partsResult(...Array.from({ length: 400 }, (): Part => ({ type: "text", text: "x".repeat(100) })));
    const together = await offloadResult(engine, owner, many, context);
    expect(together.artifacts).toHaveLength(1);
    expect(together.shown.outputIs).toBeUndefined();
    expect(JSON.parse(await wholeText(engine, together.artifacts[0] ?? ""))).toEqual(many.output);

    const image = partsResult(file("image/png", "A".repeat(400_000)), { type: "text", text: log });
    const seen = await offloadResult(engine, owner, image, { ...context, keepMedia: true });
    expect(seen.artifacts).toHaveLength(1);
    expect(seen.shown.output).toMatchObject([{ type: "file" }, { type: "text" }]);
    const unseen = await offloadResult(engine, owner, image, context);
    expect(unseen.shown.output).toMatchObject([{ type: "text" }, { type: "text" }]);
  });

  it("W1/W9: keeps the same result of the same call once, under the same id", async () => {
    const { engine, store } = testEngine();
    const first = await offloadResult(engine, owner, result(log), context);
    const items = await store.readItems(owner, { prefix: "", limit: 100 });
    expect(await offloadResult(engine, owner, result(log), context)).toEqual(first);
    expect(await store.readItems(owner, { prefix: "", limit: 100 })).toEqual(items);
    const other = await offloadResult(engine, owner, result(log, { callId: "call-2" }), context);
    expect(other.artifacts).not.toEqual(first.artifacts);
  });

  it("W9: cuts with a mark where the artifact tools aren't registered, and keeps the whole all the same", async () => {
    const { engine } = testEngine();
    const { shown, recorded, artifacts } = await offloadResult(engine, owner, result(log), {
      ...context,
      hasTools: false,
    });
    expect(String(shown.output)).toMatch(/^\[Cut here, the whole is kept as artifact "art_\w+": \d+ characters\./);
    expect(String(shown.output)).not.toContain("get_artifact");
    expect(recorded).toBe(shown);
    expect(await wholeText(engine, artifacts[0] ?? "")).toBe(log);
  });

  it("W9: doesn't keep the pages that the artifact tools answer with again", async () => {
    const { engine } = testEngine({ offloadChars: 100 });
    const part = result(log, { tool: "get_artifact" });
    expect((await offloadResult(engine, owner, part, context)).shown).toBe(part);
  });

  it("W9: takes the host's own form away from what it changed, and keeps the error mark", async () => {
    const { engine } = testEngine();
    const part = result(log, { isError: true, native: { format: "x", value: log } });
    const { shown } = await offloadResult(engine, owner, part, context);
    expect(shown.isError).toBe(true);
    expect(JSON.stringify(shown).length).toBeLessThan(3_000);
  });

  it("W9: lists what a conversation keeps, page by page", async () => {
    const { engine } = testEngine();
    for (const callId of ["a", "b", "c"]) await offloadResult(engine, owner, result(log, { callId }), context);
    const all = await listArtifacts(engine, owner);
    expect(all.map(({ callId }) => callId).sort()).toEqual(["a", "b", "c"]);
    const [first] = await listArtifacts(engine, owner, { limit: 1 });
    expect(first).toEqual(all[0]);
    expect(await listArtifacts(engine, owner, { after: first?.id ?? "" })).toEqual(all.slice(1));
    expect(await listArtifacts(engine, { ...owner, conversation: "c2" })).toEqual([]);
  });

  it("W9/W14: cuts results in messages that were recorded whole", () => {
    const message = {
      id: "m1",
      role: "tool" as const,
      createdAt: "2026-03-01T09:00:00.000Z",
      native: { format: "x", value: log },
      parts: [result(log), result("short")],
    };
    const [cut] = cutResults([message], 30_000);
    expect(cut?.native).toBeUndefined();
    expect(cut?.parts[1]).toBe(message.parts[1]);
    expect(JSON.stringify(cut?.parts[0])).toMatch(/"\[Cut here: \d+ characters\. Beginning and end:\]/);
    const small = { ...message, parts: [result("short")] };
    expect(cutResults([small], 30_000)[0]).toBe(small);
  });

  it("W9: any result comes out shorter than it was, well formed, and whole behind its artifacts", async () => {
    const { engine } = testEngine({ offloadChars: 200, pageChars: 64 });
    const words = fc.string({ unit: "grapheme", maxLength: 900 });
    const output = fc.oneof(words, fc.dictionary(fc.string({ maxLength: 5 }), words, { maxKeys: 4 }));
    await fc.assert(
      fc.asyncProperty(output, async (value) => {
        const part = result(value as Json);
        const { shown, artifacts } = await offloadResult(engine, owner, part, context);
        const compact = typeof value === "string" ? value : JSON.stringify(value);
        if (compact.length <= 200) {
          expect(shown).toBe(part);
          return;
        }
        expect(String(shown.output).isWellFormed()).toBe(true);
        const whole = await wholeText(engine, artifacts[0] ?? "");
        expect(typeof value === "string" ? whole : JSON.parse(whole)).toEqual(value);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("offloading without a store", () => {
  const down = (over: Partial<MemoryStore>): MemoryStore => ({ ...inMemoryStore(), ...over });
  const refuse = () => Promise.reject(new MemoryError("STORE_FULL", "Full.", { retryable: false }));

  it("E1/W9: cuts the prompt with a mark, loses nothing of the recorded turn, and reports it", async () => {
    const { engine, events } = testEngine({ store: down({ commitItems: refuse }) });
    const part = result(log);
    const { shown, recorded, artifacts } = await offloadResult(engine, owner, part, context);
    expect(recorded).toBe(part);
    expect(artifacts).toEqual([]);
    expect(shown).toEqual(cutResult(part, 30_000));
    expect(String(shown.output)).toMatch(/^\[Cut here: \d+ characters\. Beginning and end:\]\nline 1/);
    expect(events).toMatchObject([{ type: "memory.write_failed", operation: "artifact", code: "STORE_FULL" }]);
    expect(JSON.stringify(events)).not.toContain("something happened");
  });

  it("E1/W9: doesn't wait for a store that hangs", async () => {
    const { engine, events } = testEngine({
      store: down({ commitItems: () => new Promise(() => {}) }),
      readTimeoutMs: 20,
    });
    const { recorded } = await offloadResult(engine, owner, result(log), context);
    expect(recorded.output).toBe(log);
    expect(events).toMatchObject([{ type: "memory.write_failed", code: "TIMEOUT" }]);
  });

  it("A2: keeps nothing in a conversation that was erased after the turn began, in strict mode either", async () => {
    for (const strict of [false, true]) {
      const { engine, store, events } = testEngine({ strict });
      const erasedAt = new Date(Date.parse(context.startedAt) + 1).toISOString();
      const target = { kind: "conversation", conversation: owner.conversation } as const;
      await store.erase({ tenant: owner.tenant, agent: owner.agent }, target, { now: erasedAt });
      const { shown, artifacts } = await offloadResult(engine, owner, result(log), context);
      expect(artifacts).toEqual([]);
      expect(String(shown.output).length).toBeLessThan(log.length);
      expect(await store.readItems(owner, { prefix: "", limit: 9 })).toEqual([]);
      expect(events).toEqual([]);
    }
  });

  it("E1: tries again where the store says that a later try may succeed", async () => {
    const inner = inMemoryStore();
    let calls = 0;
    const commitItems: MemoryStore["commitItems"] = async (...given) => {
      calls += 1;
      if (calls === 1) throw new MemoryError("STORE_BUSY", "Busy.");
      return inner.commitItems(...given);
    };
    const { engine, events } = testEngine({ store: { ...inner, commitItems } });
    const { artifacts } = await offloadResult(engine, owner, result(log), context);
    expect(artifacts).toHaveLength(1);
    expect(events.map((event) => event.type)).toEqual(["memory.offloaded"]);
  });

  it("E1: rejects in strict mode, and where the caller aborts", async () => {
    const { engine } = testEngine({ store: down({ commitItems: refuse }), strict: true });
    await expect(offloadResult(engine, owner, result(log), context)).rejects.toMatchObject({ code: "STORE_FULL" });
    const signal = AbortSignal.abort();
    await expect(offloadResult(testEngine().engine, owner, result(log), { ...context, signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
  });
});
