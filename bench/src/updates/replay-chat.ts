import { createMemory, type Fact, inMemoryStore, modelDistiller } from "@throughline/core";
import { replayModel } from "@throughline/testkit";
import type { Parallel, UpdateChat } from "./recording.ts";

/** What became of one chat's notes. */
export interface ChatOutcome {
  /** For each annotated change: how it came out. */
  updates: { question: string; isFirst: boolean; isFound: boolean; isSuperseded: boolean; isKept: boolean }[];
  /** For each question about one of two things that are alike: whether that one stands first. */
  parallels: { question: string; isMeantFirst: boolean }[];
  /** The same of each question about how something was before. */
  earlier: { question: string; isMeantFirst: boolean }[];
  /** Notes of other things that became facts, and pairs of which one took the other's place though neither is a change. */
  others: number;
  mistaken: [before: string, after: string][];
  /** Whether a note of the recording became a fact. */
  isFact: (note: string) => boolean;
}

const AMONG = 10;
/** A phrase such as "yesterday" has its date beside it. */
const plain = (value: unknown): string => String(value).replace(/ \(\d{4}(?:-\d\d(?:-\d\d)?)?(?:\/[\d-]+)?\)/g, "");

/** Records a chat turn by turn, draws its recorded notes after each reply, and asks the set's questions. */
export async function replayChat(chat: UpdateChat): Promise<ChatOutcome> {
  const model = replayModel({ extractions: chat.extractions });
  const start = Date.parse(chat.said.at(-1)?.at ?? "");
  let ticks = 0;
  const memory = createMemory({
    agent: "beam",
    env: {},
    store: inMemoryStore(),
    onEvent: () => undefined,
    clock: () => new Date(start + ticks++ * 1_000),
    policy: { extract: { when: "after-reply" } },
    distiller: modelDistiller((prompt) => Promise.resolve(model.ask(prompt))),
  });
  for (const { conversation, turn, at, messages } of chat.said) {
    await memory.conversation({ id: conversation, subject: "person" }).record({ id: turn, startedAt: at, messages });
    await memory.settled();
  }
  if (model.counts.misses > 0) throw new Error(`${model.counts.misses} turns of chat ${chat.id} weren't recorded.`);
  const { facts } = await memory.subject("person").audit();
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const talk = memory.conversation({ id: "asking", subject: "person" });
  const ask = async (query: string): Promise<string[]> =>
    (await talk.recall({ query, n: AMONG })).facts.map(({ value }) => plain(value));
  const updates: ChatOutcome["updates"] = [];
  for (const { question, before, after } of chat.updates) {
    const found = await ask(question);
    const place = found.indexOf(after);
    const old = found.indexOf(before);
    const history = facts.find(({ value }) => plain(value) === before);
    updates.push({
      question,
      isFound: place >= 0,
      isFirst: place >= 0 && (old < 0 || place < old),
      isSuperseded: plain(byId.get(history?.supersededBy ?? "")?.value) === after,
      isKept: history !== undefined && facts.some(({ value }) => plain(value) === after),
    });
  }
  const whichIsFirst = async (asked: readonly Parallel[]): Promise<ChatOutcome["parallels"]> => {
    const outcomes: ChatOutcome["parallels"] = [];
    for (const { question, meant, other } of asked) {
      const found = await ask(question);
      const [place, others] = [found.indexOf(meant), found.indexOf(other)];
      outcomes.push({ question, isMeantFirst: place >= 0 && (others < 0 || place < others) });
    }
    return outcomes;
  };
  const parallels = await whichIsFirst(chat.parallels);
  const earlier = await whichIsFirst(chat.earlier);
  await memory.close();
  const values = new Set(facts.map(({ value }) => plain(value)));
  const changes = new Map([
    ...chat.updates.map(({ before, after }) => [before, after] as const),
    ...chat.earlier.map(({ meant, other }) => [meant, other] as const),
  ]);
  const mistaken = facts.flatMap((fact): [string, string][] => {
    const by: Fact | undefined = byId.get(fact.supersededBy ?? "");
    const [from, to] = [plain(fact.value), plain(by?.value)];
    return by === undefined || changes.get(from) === to ? [] : [[from, to]];
  });
  return {
    updates,
    parallels,
    earlier,
    others: facts.length - 2 * updates.filter(({ isKept }) => isKept).length,
    mistaken,
    isFact: (note) => values.has(note),
  };
}
