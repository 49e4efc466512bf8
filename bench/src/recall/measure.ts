import type { Memory, SearchFilter } from "@throughline/core";
import { plainBm25 } from "./plain-bm25.ts";
import type { Question, Story } from "./question-set.ts";
import { evidenceWithin, type Scores, scoreRanking } from "./scores.ts";

/** What came of one question. */
export interface Asked extends Scores {
  story: string;
  isTuning: boolean;
  category: string;
  /** Plain BM25's scores. */
  plain: Scores;
  /** Of conversations in the place of messages; by the best hit of each. */
  sessions: Scores & { hit: number };
  within: number;
  milliseconds: number;
  relevance: number;
}

const ALL = 100;
const BUDGET = 1000;

/** Asks every question of its own story; deep down for what its sessions and a thousand tokens hold, too. */
export async function askAll(memory: Memory, stories: readonly Story[], isDeep = true): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const story of stories) {
    const plain = plainBm25(story);
    const conversations = new Map(
      story.said.flatMap(({ conversation, messages }) => messages.map(({ id }) => [id, conversation] as const)),
    );
    for (const question of story.questions) {
      asked.push(await askOne(memory, story, question, { plain, conversations, isDeep }));
    }
  }
  return asked;
}

async function askOne(
  memory: Memory,
  story: Story,
  { text, category, evidence }: Question,
  {
    plain,
    conversations,
    isDeep,
  }: { plain: ReturnType<typeof plainBm25>; conversations: ReadonlyMap<string, string>; isDeep: boolean },
): Promise<Asked> {
  const search = (filter: SearchFilter) => memory.search(text, { subject: story.id, ...filter });
  const start = performance.now();
  const { hits, relevance = 0 } = await search({});
  const milliseconds = performance.now() - start;
  const { hits: all } = isDeep ? await search({ k: ALL }) : { hits };
  const ids = hits.map(({ message }) => message.id);
  if (
    ids.join("\n") !==
    all
      .slice(0, ids.length)
      .map(({ message }) => message.id)
      .join("\n")
  ) {
    throw new Error(`The first ten are not the beginning of the first hundred: ${text}`);
  }
  const sittings = [...new Set(all.map(({ conversation }) => conversation))];
  const wanted = new Set([...evidence].flatMap((id) => conversations.get(id) ?? []));
  const sessions = scoreRanking(sittings, wanted.size > 0 ? wanted : evidence);
  const texts = all.map(({ message }) => ({
    id: message.id,
    text: message.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  }));
  return {
    story: story.id,
    isTuning: story.isTuning,
    category,
    ...scoreRanking(ids, evidence),
    plain: scoreRanking(plain(text, 10), evidence),
    sessions: { ...sessions, hit: sessions.recall > 0 ? 1 : 0 },
    within: evidenceWithin(texts, evidence, BUDGET),
    milliseconds,
    relevance,
  };
}

/** Who speaks in a story, in the order in which they are heard first. */
const speakersOf = ({ said }: Story): string[] => [
  ...new Set(said.flatMap(({ messages }) => messages.flatMap(({ name }) => name ?? []))),
];

/** A question with another story's speakers in the place of its own. */
function inNamesOf(text: string, own: readonly string[], others: readonly string[]): string {
  return text.replaceAll(/\p{L}+/gu, (word) => others[own.indexOf(word)] ?? word);
}

/** Questions of another story: nothing here answers them. With `inOwnNames` they are asked of who speaks here. */
export async function askOthers(
  memory: Memory,
  stories: readonly Story[],
  { inOwnNames = false }: { inOwnNames?: boolean } = {},
): Promise<{ relevance: number; isDeclined: boolean; isTuning: boolean }[]> {
  const asked: { relevance: number; isDeclined: boolean; isTuning: boolean }[] = [];
  for (const [index, story] of stories.entries()) {
    const { id, isTuning } = story;
    // There is one behind the last: the first.
    const other = stories[(index + 1) % stories.length] as Story;
    const [theirs, ours] = [speakersOf(other), speakersOf(story)];
    for (const { text } of other.questions) {
      const question = inOwnNames ? inNamesOf(text, theirs, ours) : text;
      const { hits, relevance = 0 } = await memory.search(question, { subject: id });
      asked.push({ relevance, isDeclined: hits.length === 0, isTuning });
    }
  }
  return asked;
}
