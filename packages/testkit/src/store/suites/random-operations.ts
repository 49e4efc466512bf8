import type { FactOwner, MemoryStore, TurnChange, TurnWrite } from "@throughline/core";
import fc from "fast-check";
import { AGENT, allTurns, at, bare, bytesOf, chat, factOf, factsOf, messageOf } from "../fixtures.ts";

/** One call of a random story. */
export interface Operation {
  readonly name: string;
  run(store: MemoryStore): Promise<unknown>;
}

const conversations = fc.constantFrom("c1", "c1", "c1", "c2").map((id) => chat(id));
const turnIds = fc.constantFrom("t1", "t2", "t3", "t4");
const messageIds = fc.integer({ min: 1, max: 12 }).map((number) => `m${number}`);
const minutes = fc.integer({ min: 0, max: 30 });
const subjects = fc.option(fc.constantFrom("ann", "bob"), { nil: undefined, freq: 3 });
const small = fc.integer({ min: 0, max: 4 });
const messages = fc
  .tuple(fc.uniqueArray(messageIds, { minLength: 1, maxLength: 2 }), fc.constantFrom("text", "text", "other"))
  .map(([ids, word]) => ids.map((id) => messageOf(id, "user", `${word} of ${id}`)));
const factOwners = fc.constantFrom<FactOwner>(
  factsOf("user", "ann"),
  factsOf("global", "ann"),
  factsOf("conversation", "c1"),
  factsOf("app", ""),
);
const factIds = fc.constantFrom("f1", "f2", "f3");

/** Leaves members out that are `undefined`. */
function defined<Value extends object>(value: Value): Value {
  // The type stays the same: only members that may be absent can be undefined.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;
}

function operation<Given>(
  name: string,
  given: fc.Arbitrary<Given>,
  run: (store: MemoryStore, given: Given) => Promise<unknown>,
): fc.Arbitrary<Operation> {
  return given.map((value) => ({
    name,
    run: (store: MemoryStore) => run(store, value),
    [fc.toStringMethod]: () => `${name}(${JSON.stringify(value)})`,
  }));
}

const commitTurn = operation(
  "commitTurn",
  fc.record({
    owner: conversations,
    id: turnIds,
    minute: minutes,
    subject: subjects,
    messages,
    previousSeq: fc.constantFrom(undefined, undefined, undefined, undefined, 1, 2, 3),
    hides: fc.option(fc.uniqueArray(turnIds, { maxLength: 2 }), { nil: undefined, freq: 2 }),
    size: small,
  }),
  async (store, { owner, id, minute, subject, messages: given, previousSeq, hides, size }) => {
    const write: TurnWrite = defined({
      turn: { id, status: "completed", startedAt: at(minute), messages: given, counted: size, tokens: size * 10 },
      now: at(minute),
      subject,
      previousSeq,
      hides: hides?.filter((hidden) => hidden !== id),
    });
    const commit = await store.commitTurn(owner, write);
    return commit.status === "exists"
      ? { ...commit, turn: { ...commit.turn, messages: bare(commit.turn.messages) } }
      : commit;
  },
);

const turnChange: fc.Arbitrary<TurnChange> = fc.oneof(
  fc.record({ turn: turnIds, action: fc.constantFrom("hide" as const, "show" as const, "erase" as const) }),
  fc.record({ turn: turnIds, action: fc.constant("restamp" as const), subject: fc.constantFrom("ann", "bob") }),
  fc.record({ turn: turnIds, action: fc.constant("rewrite" as const), messages, counted: small, tokens: small }),
);

const changeTurns = operation(
  "changeTurns",
  fc.record({
    owner: conversations,
    changes: fc.uniqueArray(turnChange, { maxLength: 2, selector: (change) => change.turn }),
  }),
  (store, { owner, changes }) => store.changeTurns(owner, changes),
);

const changeConversation = operation(
  "changeConversation",
  fc.record({
    owner: conversations,
    minute: minutes,
    create: fc.boolean(),
    subject: subjects,
    title: fc.constantFrom("x", null, undefined),
    clearedThrough: fc.constantFrom(undefined, undefined, 1, 2),
    ifVersion: fc.constantFrom(undefined, undefined, 0, 1, 2),
  }),
  (store, { owner, minute, ...change }) => store.changeConversation(owner, defined({ now: at(minute), ...change })),
);

const commitSummary = operation(
  "commitSummary",
  fc.record({
    owner: conversations,
    expectedVersion: fc.integer({ min: 0, max: 2 }),
    turn: turnIds,
    through: fc.integer({ min: 1, max: 3 }),
    none: fc.boolean(),
  }),
  (store, { owner, expectedVersion, turn, through, none }) => {
    const summary = { text: `through ${turn}`, through, throughTurn: turn, turns: 1, tokens: 1, createdAt: at(1) };
    return store.commitSummary(owner, { expectedVersion, now: at(1), summary: none ? null : summary });
  },
);

const commitFacts = operation(
  "commitFacts",
  fc.record({
    owner: factOwners,
    expectedVersion: fc.integer({ min: 0, max: 3 }),
    put: fc.uniqueArray(factIds, { maxLength: 2 }),
    erase: fc.uniqueArray(factIds, { maxLength: 1 }),
    minute: minutes,
    validTo: fc.constantFrom(undefined, at(20)),
    expiresAt: fc.constantFrom(undefined, at(25)),
    beganAt: fc.option(minutes.map(at), { nil: undefined }),
    add: fc.constantFrom([], ["h1"]),
    unlessTombstoned: fc.constantFrom([], ["h1", "h2"]),
    operation: fc.constantFrom(undefined, undefined, { key: "op", result: "first" }),
  }),
  (store, { owner, put, erase, minute, validTo, expiresAt, add, ...commit }) =>
    store.commitFacts(
      owner,
      defined({
        ...commit,
        now: at(minute),
        put: put
          .filter((id) => !erase.includes(id))
          .map((id) => defined(factOf(id, { minute, scope: owner.scope, validTo, expiresAt }))),
        erase,
        tombstones: { add },
      }),
    ),
);

const commitRecords = operation(
  "commitRecords",
  fc.array(
    fc.record({
      namespace: fc.constantFrom(["n"], ["n", "1"], ["n", "12"]),
      key: fc.constantFrom("k1", "k2"),
      value: fc.constantFrom(undefined, 1, "x"),
      ifVersion: fc.constantFrom(undefined, undefined, 0, 1),
      subject: subjects,
    }),
    { maxLength: 3 },
  ),
  (store, commits) => store.commitRecords(AGENT, commits.map(defined), { now: at(1) }),
);

const commitItems = operation(
  "commitItems",
  fc.record({
    owner: conversations,
    key: fc.constantFrom("a", "a:1", "a:2", "b"),
    action: fc.constantFrom("put" as const, "delete" as const, "delete-prefix" as const),
    ifAbsent: fc.boolean(),
    text: fc.string({ maxLength: 3 }),
  }),
  (store, { owner, key, action, ifAbsent, text }) => {
    if (action === "put") return store.commitItems(owner, [{ action, key, bytes: bytesOf(text), ifAbsent }]);
    return store.commitItems(owner, [action === "delete" ? { action, key } : { action, prefix: key }]);
  },
);

const claimWork = operation(
  "claimWork",
  fc.record({ holder: fc.constantFrom("w1", "w2"), minute: minutes, limit: fc.integer({ min: 1, max: 2 }) }),
  (store, { holder, minute, limit }) => store.claimWork(AGENT, { holder, now: at(minute), leaseMs: 5 * 60_000, limit }),
);

const settleWork = operation(
  "settleWork",
  fc.record({
    owner: conversations,
    holder: fc.constantFrom("w1", "w2"),
    settledSeq: small,
    fold: small,
    release: fc.boolean(),
  }),
  (store, { owner, holder, settledSeq, fold, release }) =>
    store.settleWork(owner, { holder, settledSeq, watermarks: { fold }, release }),
);

const erase = operation(
  "erase",
  fc.record({
    minute: minutes,
    conversation: fc.constantFrom("c1", "c2"),
    subject: fc.constantFrom("ann", "bob"),
    kind: fc.boolean(),
  }),
  async (store, { minute, conversation, subject, kind }) => {
    const target = kind ? { kind: "conversation" as const, conversation } : { kind: "subject" as const, subject };
    const { removed } = await store.erase(AGENT, target, { now: at(minute) });
    const counted = ["conversations", "turns", "messages", "summaries", "facts", "items", "records"];
    if (store.vectors) counted.push("vectors");
    return counted.map((name) => [name, removed[name] ?? 0]);
  },
);

/** Directions whose products are exact in any arithmetic. */
const exactVectors = fc.constantFrom([1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.5, 0.5, 0.5], [0.5, -0.5, 0.5, -0.5]);
const models = fc.constantFrom("m1", "m1", "m2").map((modelId) => ({ modelId, dimensions: 4 }));

const putVectors = operation(
  "putVectors",
  fc.record({
    owner: conversations,
    model: models,
    turn: turnIds,
    seq: fc.integer({ min: 1, max: 8 }),
    vector: exactVectors,
  }),
  async (store, { owner, model, turn, seq, vector }) => {
    // Every message that the turn may hold: which of them it does is for the store to see.
    const documents = Array.from({ length: 12 }, (_, index) => ({
      turn,
      seq,
      position: 0,
      message: `m${index + 1}`,
      role: "user" as const,
      createdAt: at(0),
      vector: Float32Array.from(vector),
    }));
    return store.vectors?.put(owner, { model, documents });
  },
);

const dropVectors = operation(
  "dropVectors",
  fc.record({
    owner: conversations,
    turns: fc.constantFrom(undefined, ["t1"]),
    messages: fc.constantFrom(undefined, ["m1", "m2", "m3"]),
    otherThan: fc.option(models, { nil: undefined }),
    dryRun: fc.boolean(),
  }),
  async (store, { owner, dryRun, ...selection }) => store.vectors?.drop(owner, defined(selection), { dryRun }),
);

/** Stories of at most `length` calls and at least half as many, mostly turns. */
export function stories(length: number): fc.Arbitrary<Operation[]> {
  const any = fc.oneof(
    { arbitrary: commitTurn, weight: 8 },
    { arbitrary: changeTurns, weight: 3 },
    { arbitrary: changeConversation, weight: 2 },
    { arbitrary: commitSummary, weight: 3 },
    { arbitrary: commitFacts, weight: 5 },
    { arbitrary: commitRecords, weight: 2 },
    { arbitrary: commitItems, weight: 2 },
    { arbitrary: claimWork, weight: 2 },
    { arbitrary: settleWork, weight: 2 },
    { arbitrary: putVectors, weight: 6 },
    { arbitrary: dropVectors, weight: 1 },
    { arbitrary: erase, weight: 1 },
  );
  return fc.array(any, { minLength: Math.floor(length / 2), maxLength: length, size: "max" });
}

/** Everything that a story can have left, as any store has to read it. */
export async function everythingIn(store: MemoryStore): Promise<unknown> {
  const owners = [factsOf("user", "ann"), factsOf("global", "ann"), factsOf("conversation", "c1"), factsOf("app", "")];
  const window = { afterSummary: true, maxMessages: 4, maxTokens: 60 };
  const rooms = [chat("c1"), chat("c2")].map(async (owner) => {
    const { turns, summary, conversation, facts } = await store.readContext(owner, {
      now: at(26),
      window,
      facts: { limit: 2 },
    });
    const items = await store.readItems(owner, { prefix: "", limit: 100 });
    return {
      conversation,
      summary,
      facts,
      window: turns.map((turn) => turn.id),
      turns: (await allTurns(store, owner)).map((turn) => ({ ...turn, messages: bare(turn.messages) })),
      found: await store.findMessages(
        owner,
        Array.from({ length: 12 }, (_, index) => `m${index + 1}`),
      ),
      summaries: await store.readSummaries(owner, { limit: 100 }),
      items: items.map(({ key, bytes }) => [key, new TextDecoder().decode(bytes)]),
    };
  });
  return {
    rooms: await Promise.all(rooms),
    listed: await store.listConversations(AGENT, { limit: 100 }),
    facts: await store.readFacts(owners, { now: at(26), history: true, limit: 100 }),
    live: await store.readFacts(owners, { now: at(26), limit: 100 }),
    asOf: await store.readFacts(owners, { now: at(26), asOf: at(15), limit: 100 }),
    tombstones: await Promise.all(owners.map((owner) => store.readTombstones(owner))),
    records: await store.readRecords(AGENT, { now: at(26), namespace: [], limit: 100 }),
    namespaces: await store.listNamespaces(AGENT, { now: at(26), limit: 100 }),
    near: await Promise.all(
      [{ kind: "agent" } as const, { kind: "subject", subject: "ann" } as const].map((scope) =>
        store.vectors?.nearest(AGENT, scope, {
          model: { modelId: "m1", dimensions: 4 },
          vector: Float32Array.of(0.5, 0.5, 0.5, 0.5),
          limit: 100,
          floor: -1,
        }),
      ),
    ),
  };
}
