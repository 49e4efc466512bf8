import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createMemory, type Fact, inMemoryStore, modelDistiller } from "@throughline/core";
import { type LocomoSample, locomoRecording, locomoTurns, readLocomo, replayModel } from "@throughline/testkit";
import type { BenchOptions } from "../lib/bench-options.ts";
import { ROOT } from "../lib/folders.ts";
import { seededRandom } from "../lib/random.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";

const QUICK_SAMPLES = 2;

/** What came of the observations of one sample, seen from one speaker. */
interface Counts {
  /** Annotated facts of the person, and those that cite the person's own words. */
  annotated: number;
  own: number;
  /** Of the latter, stored or merged with one that is. */
  kept: number;
  stored: number;
  quarantined: number;
  /** Two stored facts with one value. */
  duplicates: number;
  /** Stored facts that the set has of the other speaker only. */
  wrongSpeaker: number;
  /** Stored facts whose quote isn't, word for word, in the turn they name. */
  wrongCitation: number;
  /** Planted facts that were stored. */
  planted: number;
  plantedStored: number;
  /** Facts there are more after all turns were distilled a second time. */
  grownByRerun: number;
}

const ROWS = {
  all: "LoCoMo, each speaker as the person in turn",
} as const;

const dataFile = (): string =>
  join(process.env.THROUGHLINE_BENCH_DATA || join(ROOT, "..", "shared", "data"), "locomo", "locomo10.json");

/** LoCoMo's observations replayed as a model's answers: what of them becomes a fact, whose, and with which evidence. */
export async function runExtract({ seed, quick }: BenchOptions): Promise<BenchResult> {
  const file = dataFile();
  if (!existsSync(file)) {
    throw new Error(
      "extract needs LoCoMo: THROUGHLINE_BENCH_DATA must name the folder that holds locomo/locomo10.json.",
    );
  }
  const samples = readLocomo(JSON.parse(readFileSync(file, "utf8"))).slice(0, quick ? QUICK_SAMPLES : undefined);
  const random = seededRandom(seed);
  const all: Counts[] = [];
  for (const [index, sample] of samples.entries()) {
    const other = samples[(index + 1) % samples.length] ?? sample;
    for (const person of sample.speakers) all.push(await replay(sample, person, other, random));
  }
  const sum = (name: keyof Counts): number => all.reduce((total, counts) => total + counts[name], 0);
  const percent = (part: number, whole: number): number => (100 * part) / Math.max(1, whole);
  const none = (figure: string) => ({ rule: "G6", row: ROWS.all, figure, most: 0 });
  return {
    bench: "extract",
    title: "LoCoMo's annotated observations, replayed as a model's answers to the extraction prompt",
    date: today(),
    seed,
    machine: describeMachine(),
    versions: { node: process.versions.node },
    setup: { conversations: samples.length, store: "in-memory", extraction: "after-reply" },
    columns: [
      "own observations",
      "kept %",
      "stored",
      "duplicates",
      "wrong speaker",
      "wrong citation",
      "planted",
      "planted stored",
      "grown by a rerun",
    ],
    rows: [
      {
        name: ROWS.all,
        figures: {
          "own observations": sum("own"),
          "kept %": percent(sum("kept"), sum("own")),
          stored: sum("stored"),
          duplicates: sum("duplicates"),
          "wrong speaker": sum("wrongSpeaker"),
          "wrong citation": sum("wrongCitation"),
          planted: sum("planted"),
          "planted stored": sum("plantedStored"),
          "grown by a rerun": sum("grownByRerun"),
        },
      },
    ],
    gates: ["duplicates", "wrong speaker", "wrong citation", "planted stored", "grown by a rerun"].map(none),
    notes: [
      `The set has ${sum("annotated")} observations; ${sum("own")} cite words of the person they are about, and of the others ${sum("annotated") - sum("own")} cite the other speaker's: those are never kept.`,
      "Planted are observations of another conversation: with words of their own that nobody said here, or with a true quote of this turn.",
      "What isn't kept is quarantined: a model's paraphrase with a name, number or date that stands nowhere near its quote.",
    ],
  };
}

const MARK = "PLANTED";

async function replay(
  sample: LocomoSample,
  person: string,
  other: LocomoSample,
  random: () => number,
): Promise<Counts> {
  const recording = locomoRecording(sample, person);
  const foreign = other.sessions.flatMap(({ observations }) => observations);
  const foreignSaid = other.sessions.flatMap(({ said }) => said);
  let planted = 0;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const withPlanted = recording.extractions.map(({ said, answer }) => {
    const { facts } = JSON.parse(answer) as { facts: { quote: string }[] };
    const value = pick(foreign).text;
    planted += 2;
    const lies = [
      { topic: MARK, value, quote: pick(foreignSaid).text, confidence: 1 },
      { topic: MARK, value: `${value} ${MARK}`, quote: facts[0]?.quote ?? said[0] ?? "", confidence: 1 },
    ];
    return { said, answer: JSON.stringify({ facts: [...facts, ...lies] }) };
  });
  const model = replayModel({ extractions: withPlanted });
  const memory = createMemory({
    agent: "locomo",
    env: {},
    store: inMemoryStore(),
    onEvent: () => undefined,
    policy: { extract: { when: "after-reply" } },
    distiller: modelDistiller((prompt) => Promise.resolve(model.ask(prompt))),
  });
  const said = new Map<string, Map<string, string>>();
  const record = async (again: string): Promise<void> => {
    for (const session of sample.sessions) {
      for (const turn of locomoTurns(session, person)) {
        const id = `${turn.id}${again}`;
        said.set(id, new Map(turn.messages.map((message) => [message.id ?? "", message.content ?? ""])));
        const messages = turn.messages.map((message) => ({ ...message, id: `${message.id}${again}` }));
        await memory
          .conversation({ id: `${turn.conversation}${again}`, subject: person })
          .record({ id, startedAt: turn.at, messages });
      }
      await memory.settled();
    }
  };
  await record("");
  if (model.counts.misses > 0) throw new Error(`${model.counts.misses} turns of ${sample.id} weren't recorded.`);
  const facts = await memory.subject(person).facts();
  const { quarantined } = await memory.subject(person).audit();
  await record("~2");
  const after = await memory.subject(person).facts();
  await memory.close();
  return {
    ...count(sample, person, facts, said),
    quarantined: quarantined.length,
    planted,
    grownByRerun: after.length - facts.length,
  };
}

function count(
  sample: LocomoSample,
  person: string,
  facts: readonly Fact[],
  said: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Omit<Counts, "quarantined" | "planted" | "grownByRerun"> {
  const observations = sample.sessions.flatMap((session) => {
    const speakers = new Map(session.said.map(({ id, speaker }) => [id, speaker]));
    return session.observations.map((observation) => ({
      ...observation,
      isOwn: observation.speaker === person && observation.evidence.some((id) => speakers.get(id) === person),
    }));
  });
  const mine = new Set(observations.filter(({ speaker }) => speaker === person).map(({ text }) => text));
  const own = observations.filter(({ isOwn }) => isOwn);
  // A phrase such as "yesterday" has its date beside it.
  const plain = (value: unknown): string => String(value).replace(/ \(\d{4}(?:-\d\d(?:-\d\d)?)?(?:\/[\d-]+)?\)/g, "");
  const real = facts.filter(({ topic }) => topic !== MARK);
  const values = real.map(({ value }) => plain(value));
  const stored = new Set(values);
  return {
    annotated: mine.size,
    own: own.length,
    kept: own.filter(({ text }) => stored.has(text)).length,
    stored: real.length,
    duplicates: values.length - stored.size,
    wrongSpeaker: values.filter((value) => !mine.has(value)).length,
    wrongCitation: real.filter(({ source }) => {
      const quote = source?.quote ?? "";
      return quote === "" || ![...(said.get(source?.turn ?? "")?.values() ?? [])].includes(quote);
    }).length,
    plantedStored: facts.length - real.length,
  };
}
