import { describe, expect, it } from "vitest";
import { testEngine } from "../../test/test-engine.ts";
import { createArtifact } from "../artifacts/create-artifact.ts";
import { offloadResult } from "../artifacts/offload-result.ts";
import type { Conversation } from "../contract/conversation.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { inMemoryStore } from "../stores/in-memory-store.ts";
import { artifactTools } from "./artifact-tools.ts";
import { memoryTools } from "./memory-tools.ts";

const owner = { tenant: "default", agent: "helper", conversation: "c1" };
const log = Array.from({ length: 3_000 }, (_, line) => `line ${line + 1}: something happened`).join("\n");

async function prepared(store: MemoryStore = inMemoryStore()) {
  const { engine } = testEngine({ store });
  const part = { type: "tool-result" as const, callId: "call", tool: "read_log", output: log };
  const { artifacts } = await offloadResult(engine, owner, part, {
    turn: "t1",
    startedAt: engine.now(),
    hasTools: true,
  });
  const conversationOf = (of: typeof owner) =>
    // The artifact tools use these members of a conversation only.
    ({ id: of.conversation, artifact: (id: string) => createArtifact(engine, of, id) }) as unknown as Conversation;
  const conversation = conversationOf(owner);
  const run = (name: string, input: unknown, call = {}, of = conversation) =>
    artifactTools(of)
      .find((tool) => tool.name === name)
      ?.run(input, call);
  return { id: artifacts[0] ?? "", conversation, other: conversationOf({ ...owner, conversation: "c2" }), run };
}

describe("artifact tools", () => {
  it("O1: are among the memory tools, and can be left out", async () => {
    const { conversation } = await prepared();
    const names = memoryTools(conversation).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["get_artifact", "patch_artifact"]));
    expect(memoryTools(conversation, { except: ["patch_artifact"] }).map(({ name }) => name)).not.toContain(
      "patch_artifact",
    );
  });

  it("O1/W9: get_artifact gives the pages that together are the result", async () => {
    const { id, run } = await prepared();
    const first = await run("get_artifact", { id });
    expect(first).toMatch(/^Page 1 of 5 \(text\/plain, begins in line 1, version 1\):\nline 1: something happened\n/);
    let whole = "";
    for (let page = 1; page <= 5; page++) {
      const answer = (await run("get_artifact", { id, page })) ?? "";
      expect(answer.length).toBeLessThan(20_100);
      whole += answer.slice(answer.indexOf("\n") + 1);
    }
    expect(whole).toBe(log);
    expect(await run("get_artifact", { id, page: 6 })).toBe("Not done: The artifact has pages 1 to 5.");
  });

  it("O1/W9: patch_artifact changes a part, once for one call", async () => {
    const { id, run } = await prepared();
    const input = { id, edits: [{ find: "line 7: something", replace: "line 7: nothing" }] };
    expect(await run("patch_artifact", input, { callId: "k", turn: "t" })).toMatch(/^Changed\. .* version 2 now/);
    expect(await run("patch_artifact", input, { callId: "k", turn: "t" })).toMatch(/^Nothing to change/);
    expect(await run("patch_artifact", input)).toMatch(/^Not done: Edit 1: the text to find isn't there/);
    const lines = { id, edits: [{ lines: { from: 1, to: 2 }, replace: "" }] };
    expect(await run("patch_artifact", { ...lines, version: 1 })).toMatch(/^Not done: .* version 2 now/);
    expect(await run("patch_artifact", { ...lines, version: 2 })).toMatch(/^Changed\./);
    expect(await run("get_artifact", { id })).toContain(":\nline 3: something happened\n");
  });

  it("O2: tells wrong ids, other conversations' ids and bad input apart, and never throws", async () => {
    const { id, run, other } = await prepared();
    expect(await run("get_artifact", { id: "report" })).toMatch(/^Not done: "report" is no artifact id/);
    expect(await run("get_artifact", { id }, {}, other)).toMatch(/belongs to another conversation/);
    const missing = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
    expect(await run("get_artifact", { id: missing })).toMatch(/isn't there any more/);
    expect(await run("get_artifact", { id, page: 0 })).toMatch(/^Not done: page is not valid/);
    expect(await run("patch_artifact", { id, edits: [] })).toMatch(/^Not done: edits is not valid/);
    const both = { find: "a", lines: { from: 1, to: 1 }, replace: "" };
    for (const edit of [{ replace: "" }, both]) {
      expect(await run("patch_artifact", { id, edits: [edit] })).toBe("Not done: edit 1 needs either find or lines.");
    }
  });

  it("O2/E1: say so where the store can't be read", async () => {
    const store = inMemoryStore();
    const { id, run } = await prepared(store);
    store.readItems = () => Promise.reject(new MemoryError("STORE_UNREACHABLE", "Down."));
    expect(await run("get_artifact", { id })).toBe("The memory is not available right now; go on without it.");
  });
});
