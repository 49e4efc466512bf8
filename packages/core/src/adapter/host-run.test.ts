import { describe, expect, it } from "vitest";
import type { MessageInput, Part } from "../contract/message.ts";
import { createMemory } from "../memory/create-memory.ts";
import { inMemoryStore } from "../stores/in-memory-store.ts";
import { type HostReader, HostRun } from "./host-run.ts";

/** A host's message at its plainest. */
interface Said {
  id?: string;
  who: "user" | "assistant" | "tool";
  text?: string;
  call?: string;
  answers?: string;
}

let ids = 0;
const reader: HostReader<Said> = {
  id(message) {
    ids += 1;
    message.id ??= `m${ids}`;
    return message.id;
  },
  convert: (messages) =>
    messages.map(({ id = "", who, text, call, answers }): MessageInput => {
      const parts: Part[] = text === undefined ? [] : [{ type: "text", text }];
      if (call !== undefined) parts.push({ type: "tool-call", callId: call, tool: "look", input: {} });
      if (answers !== undefined) parts.push({ type: "tool-result", callId: answers, tool: "look", output: "found" });
      return { id, role: who, parts };
    }),
};

function start() {
  const memory = createMemory({ agent: "a", store: inMemoryStore(), env: {}, onEvent: () => {} });
  const conversation = memory.conversation({ id: "c" });
  const run = () => new HostRun(conversation, reader);
  const turns = async () => {
    const { turns: all } = await conversation.transcript();
    return all.map(({ status, messages }) => [status, ...messages.map(({ role, parts }) => `${role} ${show(parts)}`)]);
  };
  return { run, turns };
}

const show = (parts: readonly Part[]): string =>
  parts
    .map((part) =>
      part.type === "text" ? part.text : part.type === "tool-call" || part.type === "tool-result" ? part.callId : "",
    )
    .join(" ");

const question = (): Said => ({ who: "user", text: "where?" });
const calling = (): Said => ({ who: "assistant", call: "1" });
const result = (): Said => ({ who: "tool", answers: "1" });
const answer = (): Said => ({ who: "assistant", text: "here" });
const whole = ["completed", "user where?", "assistant 1", "tool 1", "assistant here"];

describe("HostRun", () => {
  it("B2: records what the host's list has grown by, once", async () => {
    const { run, turns } = start();
    const said = [question()];
    const first = run();
    await first.see(said);
    for (const next of [calling(), result(), answer()]) {
      said.push(next);
      if (next.who === "assistant") await first.answered(next);
      await first.see(said);
    }
    await first.finished(said);
    expect(await turns()).toEqual([whole]);
  });

  it("B2/W12: a call without an answer is written as a pause, and another run completes it", async () => {
    const { run, turns } = start();
    const said = [question()];
    const first = run();
    await first.see(said);
    said.push(calling());
    await first.answered(said[1] as Said);
    expect(await turns()).toEqual([["paused", "user where?", "assistant 1"]]);
    const second = run();
    said.push(result());
    await second.see(said);
    said.push(answer());
    await second.finished(said);
    expect(await turns()).toEqual([whole]);
  });

  it("B2: records a result that the host puts before one that is stored already", async () => {
    const { run, turns } = start();
    const both: Said = { who: "assistant", call: "1", id: "both" };
    const [one, other] = [result(), { ...result(), id: "other", answers: "2" }];
    const first = run();
    await first.see([question()]);
    await first.added([both, other]);
    await first.paused();
    const second = run();
    await second.see([{ ...question(), id: "m0" }, both, one, other]);
    expect((await turns()).length).toBe(1);
    await second.finished([{ ...question(), id: "m0" }, both, one, other, answer()]);
    expect((await turns()).at(-1)).toEqual(expect.arrayContaining(["tool 1", "tool 2", "assistant here"]));
  });

  it("W12: a run that is cut short keeps the results and the words that came", async () => {
    const { run, turns } = start();
    const first = run();
    const said = [question(), calling()];
    await first.see(said.slice(0, 1));
    await first.answered(said[1] as Said);
    first.heardResult(result());
    first.heardResult({ who: "tool", answers: "of another run" });
    first.heardWords("I th");
    await first.broke(new Error("down"));
    expect(await turns()).toEqual([["failed", "user where?", "assistant 1", "tool 1", "assistant I th"]]);
  });

  it("W12: the signal of the run ends it, also between two steps and while a pause is written", async () => {
    const { run, turns } = start();
    const controller = new AbortController();
    const first = run();
    const said = [question(), calling()];
    await first.see(said.slice(0, 1), { signal: controller.signal });
    const pause = first.answered(said[1] as Said);
    controller.abort();
    await pause;
    await first.finished(said);
    expect((await turns())[0]?.[0]).not.toBe("paused");
    expect(await turns()).toHaveLength(1);
  });

  it.each([
    ["while it goes on", true],
    ["while its turn is being opened", false],
  ])(
    "E4/W12: a run that is stopped %s, in the moment in which the memory is closed, is recorded",
    async (_when, isOpen) => {
      const base = inMemoryStore();
      const make = () => {
        const store = { ...base, close: async () => {} };
        return createMemory({ agent: "a", store, env: {}, onEvent: () => {} });
      };
      const memory = make();
      const controller = new AbortController();
      const failures: string[] = [];
      const run = new HostRun(memory.conversation({ id: "c" }), reader, { onError: ({ code }) => failures.push(code) });
      const seen = run.see([question()], { signal: controller.signal });
      if (isOpen) {
        await seen;
        controller.abort();
      } else void run.broke(new Error("gone"));
      await memory.close();
      expect(failures).toEqual([]);
      const { turns } = await make().conversation({ id: "c" }).transcript();
      expect(turns.map(({ status }) => status)).toEqual([isOpen ? "aborted" : "failed"]);
      await seen;
    },
  );

  it("B2: a run that failed and is tried again is completed", async () => {
    const { run, turns } = start();
    const first = run();
    const said = [question()];
    await first.see(said);
    await first.broke(new Error("down"));
    await first.see(said);
    said.push(answer());
    await first.finished(said);
    expect(await turns()).toEqual([["completed", "user where?", "assistant here"]]);
  });

  it("B2: the first end counts, and a stop where the host waits is a pause", async () => {
    const { run, turns } = start();
    const first = run();
    await first.see([question()]);
    await first.stopped([question()], true);
    await first.broke(new Error("too late"));
    expect((await turns()).map(([status]) => status)).toEqual(["paused"]);
  });

  it("B3: what breaks before anything of the memory came to its turn is recorded with what was said", async () => {
    const { run, turns } = start();
    await run().broke(new Error("down"), undefined, [question()]);
    await run().broke(new Error("down"));
    expect(await turns()).toEqual([["failed", "user where?"]]);
  });
});
