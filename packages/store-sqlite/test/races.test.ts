import { join } from "node:path";
import {
  createMemory,
  type Fact,
  type Memory,
  type Message,
  type Outcome,
  type Summary,
  type SweepReport,
  type Transcript,
} from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "./support/fixtures.ts";
import { type Peer, type PeerOptions, startPeer } from "./support/peer.ts";

/** Two processes on one file. */
async function twoPeers(options: Omit<PeerOptions, "path">, second: Partial<PeerOptions> = {}) {
  const path = join(temporaryDirectory(), "memory.db");
  const [left, right] = await Promise.all([
    startPeer({ path, ...options }),
    startPeer({ path, ...options, ...second }),
  ]);
  return { path, left, right };
}

/** What the file holds, seen by a third process. */
function look(path: string): Memory {
  const memory = createMemory({ agent: "helper", store: sqliteStore({ path }), env: {}, onEvent: () => undefined });
  onTestFinished(() => memory.close());
  return memory;
}

const chat = { on: "conversation", ref: { id: "c" } } as const;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const user = (content: string) => ({ role: "user", content }) as const;
const assistant = (content: string) => ({ role: "assistant", content }) as const;
const exchange = (id: string) => [{ id, messages: [user(`question ${id}`), assistant(`answer ${id}`)] }];

const record = (peer: Peer, ids: readonly string[]) => peer.callEach<Outcome>(chat, "record", ids.map(exchange));

const POLICY = { enabled: true, conversation: { maxMessages: 8, keepMessages: 4 } };
/** Longer than a lease: a fold of the other process looks as if it had died. */
const PAST_LEASE_MS = 600_000;

/** Turns of the summary, then those of the history, each once and in order. */
async function told(memory: Memory): Promise<{ summary: string[]; history: string[] }> {
  const conversation = memory.conversation({ id: "c" });
  const summary = (await conversation.summary())?.text.split(" ") ?? [];
  const history = (await conversation.history({ maxMessages: 1000 })).map((message) => message.turn ?? "");
  return { summary, history: [...new Set(history)] };
}

describe("two processes fold one conversation", () => {
  const ids = numbers(8).map((number) => `t${number}`);

  it.each(["left", "right"] as const)(
    "W6: of two folds at once one counts, whichever is done first: %s",
    async (first) => {
      const { path, left, right } = await twoPeers(
        { policy: POLICY, parts: ["summarizer"] },
        { clockAheadMs: PAST_LEASE_MS },
      );
      await record(left, ids);
      await Promise.all([left.hold("summarizer"), right.hold("summarizer")]);
      const sweeps = {
        left: left.call<SweepReport>({ on: "memory" }, "sweep"),
        right: Promise.resolve<SweepReport | null>(null),
      };
      await left.at("summarizer");
      sweeps.right = right.call<SweepReport>({ on: "memory" }, "sweep");
      await right.at("summarizer");
      const peers = { left, right };
      const second = first === "left" ? "right" : "left";
      await peers[first].release("summarizer");
      expect(await sweeps[first]).toMatchObject({ folded: 1, failed: 0 });
      await peers[second].release("summarizer");
      expect(await sweeps[second]).toMatchObject({ folded: 0, failed: 0 });

      const memory = look(path);
      expect(await memory.conversation({ id: "c" }).summary()).toMatchObject({ version: 1, turns: 6, through: "t5" });
      expect(await told(memory)).toEqual({ summary: ids.slice(0, 6), history: ids.slice(6) });
    },
  );

  it("W6: folds, turns and sweeps of both at full speed leave every turn told once", async () => {
    const { path, left, right } = await twoPeers(
      { policy: POLICY, parts: ["summarizer"] },
      { clockAheadMs: PAST_LEASE_MS },
    );
    const work = async (peer: Peer, name: string) => {
      for (const round of numbers(10)) {
        const written = await record(
          peer,
          numbers(4).map((number) => `${name}${round}.${number}`),
        );
        expect(written.map((outcome) => outcome.status)).toEqual(Array(4).fill("stored"));
        await peer.call({ on: "memory" }, "sweep");
      }
    };
    await Promise.all([work(left, "l"), work(right, "r")]);
    await left.call({ on: "memory" }, "sweep");
    const memory = look(path);
    const { summary, history } = await told(memory);
    const { turns } = await memory.conversation({ id: "c" }).transcript({ limit: 500 });
    expect(turns).toHaveLength(80);
    expect([...summary, ...history]).toEqual(turns.map((turn) => turn.id));
    expect(summary.length).toBeGreaterThan(70);
  });

  it("W6: a turn that began before the other's fold and was committed during or after it is told", async () => {
    const { path, left, right } = await twoPeers({ policy: POLICY, parts: ["summarizer"] });
    const begun = await left.callEach<number>(chat, "begin", [
      [{ id: "during", messages: [user("asked early")] }],
      [{ id: "after", messages: [user("asked early too")] }],
    ]);
    await record(right, ids);
    await right.hold("summarizer");
    const sweep = right.call<SweepReport>({ on: "memory" }, "sweep");
    await right.at("summarizer");
    const complete = (turn: number | undefined) =>
      left.call<Outcome>({ on: "turn", turn: turn ?? 0 }, "complete", [assistant("answered late")]);
    expect(await complete(begun[0])).toMatchObject({ status: "stored" });
    await right.release("summarizer");
    expect(await sweep).toMatchObject({ folded: 1 });
    expect(await complete(begun[1])).toMatchObject({ status: "stored" });

    const memory = look(path);
    expect(await told(memory)).toEqual({ summary: ids.slice(0, 6), history: ["t6", "t7", "during", "after"] });
    // The next fold goes on from there.
    await record(right, ["u0", "u1"]);
    await right.call({ on: "memory" }, "sweep");
    expect(await told(memory)).toEqual({
      summary: [...ids, "during", "after"],
      history: ["u0", "u1"],
    });
  });

  it("W7: a summary that one process deletes while the other folds on it doesn't come back", async () => {
    const { path, left, right } = await twoPeers({ policy: POLICY, parts: ["summarizer"] });
    await record(right, ids);
    await right.call({ on: "memory" }, "sweep");
    expect(await left.call<Summary>(chat, "summary")).toMatchObject({ turns: 6 });
    await record(right, ["u0", "u1", "u2"]);
    await right.hold("summarizer");
    const sweep = right.call<SweepReport>({ on: "memory" }, "sweep");
    await right.at("summarizer");
    expect(await left.call<Outcome>(chat, "deleteSummary")).toMatchObject({ status: "stored" });
    await right.release("summarizer");
    expect(await sweep).toMatchObject({ folded: 0 });
    expect(await told(look(path))).toEqual({ summary: [], history: [...ids, "u0", "u1", "u2"] });
  });
});

describe("one process rebinds what the other writes to", () => {
  const names = numbers(12).map((number) => `person-${number}`);

  it("F10/F13: every turn and every fact is filed, and the end is the last rebind", async () => {
    const { path, left, right } = await twoPeers({});
    await left.call(chat, "rebindSubject", "person-0");
    const ids = numbers(90).map((number) => `t${String(number).padStart(2, "0")}`);
    const rebound = left.callEach<Outcome>(
      chat,
      "rebindSubject",
      names.slice(1).map((name) => [name]),
    );
    const written: Outcome[] = [];
    const remembered: Outcome[] = [];
    for (const start of numbers(15).map((part) => part * 6)) {
      const part = ids.slice(start, start + 6);
      written.push(...(await record(right, part)));
      remembered.push(
        ...(await right.callEach<Outcome>(
          chat,
          "remember",
          part.map((id) => [`key_${id}`, id]),
        )),
      );
      await right.call({ on: "memory" }, "sweep");
    }
    expect((await rebound).map((outcome) => outcome.status)).toEqual(Array(11).fill("stored"));
    expect(written.map((outcome) => outcome.status)).toEqual(Array(90).fill("stored"));
    expect(remembered.map((outcome) => outcome.status)).toEqual(Array(90).fill("stored"));

    const memory = look(path);
    await memory.sweep();
    const { turns, subject } = await memory.conversation({ id: "c" }).transcript({ limit: 500 });
    expect(subject).toBe("person-11");
    expect(turns.map((turn) => turn.id)).toEqual(ids);
    // In the order of the rebinds: no turn is filed under somebody who was not there yet, or not any more.
    const places = turns.map((turn) => names.indexOf(turn.subject ?? ""));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places.at(0)).toBeGreaterThanOrEqual(0);
    const facts: Fact[] = [];
    for (const [place, name] of names.entries()) {
      facts.push(...(await memory.subject(name).facts()));
      const { hits } = await memory.subject(name).search("question", { k: 100 });
      const own = turns.filter((_, index) => places[index] === place).map((turn) => turn.id);
      expect(hits.map((hit) => hit.turn).sort()).toEqual(own);
    }
    expect(facts.map((fact) => fact.value).sort()).toEqual(ids);
  });

  it("F13: later requests for the old person are refused in both processes, with nothing written", async () => {
    const { path, left, right } = await twoPeers({});
    const ofAna = { on: "conversation", ref: { id: "c", subject: "ana" } } as const;
    const turn = await right.call<number>(ofAna, "begin", { id: "open", messages: [user("hello")] });
    await right.callEach(
      ofAna,
      "record",
      [exchange("before")[0]].map((input) => [input]),
    );
    expect(await left.call<Outcome>(chat, "rebindSubject", "bob")).toMatchObject({ status: "stored" });
    for (const peer of [left, right]) {
      const refused = { status: "refused", code: "CONVERSATION_OWNER_MISMATCH" };
      expect(await peer.call(ofAna, "record", ...exchange("late"))).toMatchObject(refused);
      for (const method of ["history", "transcript", "clear", "delete"]) {
        expect(await peer.call(ofAna, method)).toEqual({ thrown: "CONVERSATION_OWNER_MISMATCH" });
      }
    }
    expect(await right.call({ on: "turn", turn }, "complete", [assistant("hi")])).toMatchObject({
      status: "refused",
      code: "CONVERSATION_OWNER_MISMATCH",
    });
    const { turns, subject } = await look(path).conversation({ id: "c" }).transcript();
    expect([subject, turns.map((entry) => `${entry.id} of ${entry.subject}`)]).toEqual(["bob", ["before of bob"]]);
  });

  it("F10: of two that rebind at once the last one counts, and both see the same", async () => {
    const { path, left, right } = await twoPeers({});
    await record(left, ["t0"]);
    const bind = (peer: Peer, name: string) =>
      peer.callEach<Outcome>(
        chat,
        "rebindSubject",
        numbers(30).map((number) => [`${name}-${number}`]),
      );
    const answers = await Promise.all([bind(left, "left"), bind(right, "right")]);
    expect(answers.flat().map((outcome) => outcome.status)).toEqual(Array(60).fill("stored"));
    const seen = await Promise.all([left, right].map((peer) => peer.call<Transcript>(chat, "transcript")));
    expect(["left-29", "right-29"]).toContain(seen[0]?.subject);
    expect(seen[1]).toEqual(seen[0]);
    expect((await look(path).conversations({ subject: seen[0]?.subject ?? "" })).items).toHaveLength(1);
  });
});

describe("two processes write one key", () => {
  it("F7/F12: all 400 values are in the history, one is live, and no conflict gets out", async () => {
    const { path, left, right } = await twoPeers({});
    const person = { on: "conversation", ref: { id: "c", subject: "ana" } } as const;
    const write = (peer: Peer, name: string) =>
      peer.callEach<Outcome>(
        person,
        "remember",
        numbers(200).map((number) => ["colour", `${name}-${number}`]),
      );
    const outcomes = (await Promise.all([write(left, "left"), write(right, "right")])).flat();
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["stored", ...Array(399).fill("superseded")]);

    const subject = look(path).subject("ana");
    const live = await subject.facts();
    const all = await subject.facts({ history: true });
    const values = ["left", "right"].flatMap((name) => numbers(200).map((number) => `${name}-${number}`));
    expect(all.map((fact) => fact.value).sort()).toEqual(values.sort());
    expect(live).toHaveLength(1);
    expect(["left-199", "right-199"]).toContain(live[0]?.value);
    // Each was superseded by one other: a chain from the first to the live one.
    const superseded = all.filter((fact) => fact.validTo !== undefined);
    expect(new Set(superseded.map((fact) => fact.supersededBy)).size).toBe(399);
    expect(all.some((fact) => fact.disputedWith !== undefined)).toBe(false);
  });

  it("F12: where both ask for the version they read, one writes and the other is told of the conflict", async () => {
    const { path, left, right } = await twoPeers({});
    const person = { on: "conversation", ref: { id: "c", subject: "ana" } } as const;
    const both = [left, right];
    const memory = look(path);
    for (const round of numbers(20)) {
      const version = (await memory.subject("ana").facts())[0]?.version ?? 0;
      const answers = await Promise.all(
        both.map((peer, place) =>
          peer.call<Outcome & { thrown?: string }>(person, "remember", "colour", `${place}-${round}`, {
            ifVersion: version,
          }),
        ),
      );
      expect(answers.map((answer) => answer.thrown ?? "written").sort()).toEqual(["VERSION_CONFLICT", "written"]);
    }
  });

  it("F12: a call that both run under one idempotency key is applied once", async () => {
    const { path, left, right } = await twoPeers({});
    const person = { on: "conversation", ref: { id: "c", subject: "ana" } } as const;
    const write = (peer: Peer) =>
      peer.callEach<Outcome>(
        person,
        "remember",
        numbers(50).map((number) => [{ value: `value ${number}`, multiple: true, idempotencyKey: `call-${number}` }]),
      );
    const [one, two] = await Promise.all([write(left), write(right)]);
    expect(two).toEqual(one);
    expect(await look(path).subject("ana").facts({ history: true })).toHaveLength(50);
  });
});

describe("sweeps of two processes", () => {
  it("E3: share the conversations, and feed every turn to the sink, the embedder and the index once", async () => {
    const path = join(temporaryDirectory(), "memory.db");
    const memory = createMemory({ agent: "helper", store: sqliteStore({ path }), env: {} });
    const ids: string[] = [];
    // Too few for this process to start on its own what is due.
    for (const place of numbers(15)) {
      for (const turn of numbers(2)) {
        const id = `c${place}.${turn}`;
        await memory.conversation({ id: `c${place}`, subject: "ana" }).record({ id, messages: [user(`word ${id}`)] });
        ids.push(id);
      }
    }
    const peers = await Promise.all(
      numbers(2).map(() => startPeer({ path, policy: { enabled: true }, parts: ["sink", "embedder"] })),
    );
    await Promise.all(peers.map((peer) => peer.hold("sink")));
    // Each stands in the middle of its first conversation, with the rest of what it claimed before it.
    const sweeps = peers.map((peer) => peer.call<SweepReport>({ on: "memory" }, "sweep", { limit: 6 }));
    await Promise.all(peers.map((peer) => peer.at("sink")));
    await Promise.all(peers.map((peer) => peer.release("sink")));
    const reports = await Promise.all(sweeps);
    expect(reports.map((report) => report.conversations)).toEqual([6, 6]);
    reports.push(
      ...(await Promise.all(peers.map((peer) => peer.call<SweepReport>({ on: "memory" }, "sweep", { limit: 100 })))),
    );
    const total = (count: (report: SweepReport) => number) => reports.reduce((sum, report) => sum + count(report), 0);
    expect([total((report) => report.conversations), total((report) => report.failed)]).toEqual([15, 0]);
    expect([total((report) => report.indexed), total((report) => report.embedded)]).toEqual([30, 30]);
    const given = await Promise.all(peers.map((peer) => peer.given()));
    expect(given.flatMap((each) => each.sunk).sort()).toEqual([...ids].sort());
    // The embedder is measured with texts of others, too.
    const embedded = given.flatMap((each) => each.embedded).filter((text) => text.startsWith("word "));
    expect(embedded.sort()).toEqual(ids.map((id) => `word ${id}`).sort());
    const { hits } = await memory.subject("ana").search("word", { k: 100 });
    expect(hits.map((hit) => hit.turn).sort()).toEqual([...ids].sort());
    expect((await memory.sweep()).conversations).toBe(0);
    await memory.close();
  });
});

describe("a paused turn", () => {
  const call = { type: "tool-call", callId: "k", tool: "delete_file", input: { path: "a" } } as const;
  const pending = { role: "assistant", parts: [call, { type: "approval", callId: "k", state: "requested" }] } as const;
  const answered = (output: string) => [
    { role: "tool", parts: [{ type: "tool-result", callId: "k", tool: "delete_file", output }] } as const,
    assistant(`It said: ${output}`),
  ];
  const shape = (messages: readonly Message[]) =>
    messages.map((message) => `${message.role}: ${message.parts.map((part) => part.type).join("+")}`);

  it("W12: resumed by two processes at once, is completed by one and not doubled", async () => {
    const { path, left, right } = await twoPeers({});
    const memory = look(path);
    for (const round of numbers(5)) {
      const ref = { on: "conversation", ref: { id: `c${round}`, subject: "ana" } } as const;
      const begun = await left.call<number>(ref, "begin", { id: "t", messages: [user("delete a")] });
      expect(await left.call({ on: "turn", turn: begun }, "pause", [pending])).toMatchObject({ status: "stored" });
      const resumed = await Promise.all([left.call<number>(ref, "resume"), right.call<number>(ref, "resume")]);
      const outcomes = await Promise.all([
        left.call<Outcome>({ on: "turn", turn: resumed[0] }, "complete", answered("left")),
        right.call<Outcome>({ on: "turn", turn: resumed[1] }, "complete", answered("right")),
      ]);
      expect(outcomes.map((outcome) => outcome.code ?? outcome.status).sort()).toEqual(["TURN_ENDED", "merged"]);
      const { turns } = await memory.conversation({ id: `c${round}` }).transcript();
      expect(turns.map((turn) => turn.status)).toEqual(["completed"]);
      expect(shape(turns[0]?.messages ?? [])).toEqual([
        "user: text",
        "assistant: tool-call+approval",
        "tool: tool-result",
        "assistant: text",
      ]);
      const winner = outcomes[0].code === undefined ? "left" : "right";
      expect(JSON.stringify(turns[0]?.messages.at(-1)?.parts)).toContain(winner);
    }
  });

  it("W12: answered alike by two processes, is stored once and both are told so", async () => {
    const { path, left, right } = await twoPeers({});
    const begun = await left.call<number>(chat, "begin", { id: "t", messages: [user("delete a")] });
    await left.call({ on: "turn", turn: begun }, "pause", [pending]);
    const resumed = await Promise.all([left.call<number>(chat, "resume"), right.call<number>(chat, "resume")]);
    const outcomes = [
      await left.call<Outcome>({ on: "turn", turn: resumed[0] }, "complete", answered("done")),
      await right.call<Outcome>({ on: "turn", turn: resumed[1] }, "complete", answered("done")),
    ];
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["merged", "unchanged"]);
    expect((await look(path).conversation({ id: "c" }).history()).map((message) => message.turn)).toEqual(
      Array(4).fill("t"),
    );
  });
});
