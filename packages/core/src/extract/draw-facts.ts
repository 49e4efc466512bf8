import type { CandidateCounts } from "../contract/events.ts";
import type { Turn } from "../contract/message.ts";
import type { Distiller, FactCandidate } from "../contract/models.ts";
import type { QuarantinedFact } from "../contract/subject-export.ts";
import { messageText } from "../conversation/message-text.ts";
import { valueText } from "../conversation/quote.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { commitClaims } from "../facts/commit-claims.ts";
import type { Claim } from "../facts/decide-claim.ts";
import { eraseDerivedFacts } from "../facts/erase-derived-facts.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { forgottenAmong } from "../facts/tombstones.ts";
import type { Engine } from "../memory/engine.ts";
import { Breath } from "../search/breath.ts";
import type { Batch } from "./batch.ts";
import { callDistiller } from "./call-distiller.ts";
import { countOutcome, noCandidates } from "./candidate-counts.ts";
import { datesOf } from "./dates-of.ts";
import { type Evidence, isPersons, turnEvidence } from "./evidence.ts";
import { groundCandidate, type Surroundings } from "./ground-candidate.ts";
import { holdsSecret } from "./holds-secret.ts";
import { knownFacts } from "./known-facts.ts";
import { guessLanguages } from "./language.ts";
import { dropQuarantined, dropQuarantinedEvents, type QuarantineOwner, quarantine } from "./quarantine.ts";
import { annotateDates, mendDates } from "./resolve-dates.ts";
import { type Spoken, SpokenReader } from "./spoken.ts";
import { eventsStand } from "./timeline.ts";
import { toClaim } from "./to-claim.ts";

/** What came of a batch. `through` is what the batch, or the first try of it, reached. */
export interface Drawn {
  counts: CandidateCounts;
  through: string;
}

/**
 * Draws facts from a batch: asks the distiller, looks every candidate up in what was said, and writes what holds in one
 * commit. What is borne out by nothing is quarantined. Throws `DISTILLER_FAILED` and the store's errors; then nothing is
 * written.
 */
export async function drawFacts(engine: Engine, distiller: Distiller, batch: Batch): Promise<Drawn> {
  const counts = noCandidates();
  const { through } = batch.operation;
  const context = { ...engine.owner, conversation: batch.conversation, subject: batch.subject };
  const owner = factOwner(context, "user");
  const evidence = evidenceOf(batch);
  // Nobody said a word: there is nothing to ask about.
  if (owner === null || !evidence.some(({ said }) => said.length > 0)) return { counts, through };
  const known = await knownFacts(engine, context, wordsOf(evidence), batch.signal);
  const candidates = await callDistiller(
    engine,
    distiller,
    {
      turns: [...batch.turns],
      events: [...batch.events],
      recent: [...batch.recent],
      known,
      now: evidence.at(-1)?.at ?? batch.beganAt,
      timeZone: batch.timeZone,
      salvage: !batch.whole,
      ...(batch.signal === undefined ? {} : { signal: batch.signal }),
    },
    counts,
  );
  const standing = await standingTurns(engine, batch);
  const stands = (id: string | undefined): boolean => standing === null || (id !== undefined && standing.has(id));
  const surroundings = { recent: recentWords(batch), known, names: namesOf(batch) };
  const breath = new Breath(batch.signal, "distill");
  const spoken = new SpokenReader(engine, batch.timeZone, breath);
  const claims: Claim[] = [];
  const doubtful: Omit<QuarantinedFact, "id">[] = [];
  for (const candidate of candidates) {
    // Nobody wants a password in every later prompt; not even quarantine keeps one.
    if (holdsSecret(`${valueText(candidate.value)}\n${candidate.quote}`)) counts.refused++;
    else if (isWeak(engine, candidate, batch.whole)) counts.weak++;
    else if (candidate.subject !== undefined && candidate.subject !== batch.subject) invalid(counts, batch);
    else await judge(engine, { candidate, evidence, spoken, stands, surroundings, batch, counts, claims, doubtful });
    await breath.take();
  }
  if (claims.length > 0) {
    const result = await commitClaims(engine, owner, claims, {
      operation: { key: batch.operation.key, result: () => through },
      beganAt: batch.beganAt,
      subject: batch.subject,
      signal: batch.signal,
    });
    if (result.status === "repeated") return { counts: noCandidates(), through: result.result };
    if (result.status === "committed") {
      for (const outcome of result.outcomes) countOutcome(counts, outcome);
      counts.disputed += result.disputed;
    } else counts.refused += claims.length;
  }
  const store = await engine.store();
  const tombstones = new Set(await store.readTombstones(owner));
  const forgotten = await forgottenAmong(
    engine,
    tombstones,
    doubtful.map((entry, id) => ({ ...entry, id: String(id) })),
  );
  const kept = doubtful.filter((_, id) => !forgotten.has(String(id)));
  const place = batch.subject === undefined ? { conversation: batch.conversation ?? "" } : { subject: batch.subject };
  const isThere = await quarantineStanding(engine, batch, place, kept);
  counts.quarantined += isThere ? kept.length : 0;
  counts.refused += doubtful.length - (isThere ? kept.length : 0);
  await withoutErased(engine, batch, standing);
  return { counts, through };
}

/** Quarantines candidates, unless the events they are of were erased; answers whether they were kept. */
async function quarantineStanding(
  engine: Engine,
  { events, subject, filedUnder }: Batch,
  place: QuarantineOwner,
  kept: readonly Omit<QuarantinedFact, "id">[],
): Promise<boolean> {
  const ids = events.map(({ id }) => id);
  const stand = async (): Promise<boolean> => ids.length === 0 || eventsStand(engine, filedUnder ?? subject ?? "", ids);
  if (kept.length === 0) return true;
  if (!(await stand())) return false;
  const named = kept.map((entry) =>
    entry.turn === undefined && entry.event === undefined ? { ...entry, event: ids[0] ?? "" } : entry,
  );
  await quarantine(engine, place, named);
  if (await stand()) return true;
  // Erased in between.
  if (subject !== undefined) await dropQuarantinedEvents(engine, subject, new Set(ids));
  return false;
}

/** What one candidate comes to. */
async function judge(
  engine: Engine,
  task: {
    candidate: FactCandidate;
    evidence: readonly Evidence[];
    spoken: SpokenReader;
    /** Whether a turn is still there as it was read; what rests on another is nobody's. */
    stands: (id: string | undefined) => boolean;
    surroundings: Omit<Surroundings, "dates">;
    batch: Batch;
    counts: CandidateCounts;
    claims: Claim[];
    doubtful: Omit<QuarantinedFact, "id">[];
  },
): Promise<void> {
  const { evidence, spoken, batch, counts } = task;
  const rested = evidence.find(({ id }) => id === task.candidate.turn) ?? evidence[0];
  const { value, dates } =
    rested === undefined
      ? { value: task.candidate.value, dates: "" }
      : withRightDates(engine, task.candidate, await spoken.of(rested));
  const candidate = { ...task.candidate, value };
  const found = groundCandidate(candidate, evidence, { ...task.surroundings, dates });
  if (found.status === "refused" || (found.status === "grounded" && !task.stands(found.evidence.id))) counts.refused++;
  else if (found.status === "quarantined") {
    const { key, topic, quote, confidence, turn } = candidate;
    const event = batch.events.find(({ id }) => id === turn)?.id;
    const place = batch.turns.find(({ id }) => id === turn) ?? batch.turns[0];
    if (place !== undefined && !task.stands(place.id)) {
      counts.refused++;
      return;
    }
    task.doubtful.push({
      value,
      quote,
      confidence,
      code: found.code,
      at: engine.now(),
      ...(key === undefined ? {} : { key }),
      ...(topic === undefined ? {} : { topic }),
      ...(batch.conversation === undefined ? {} : { conversation: batch.conversation }),
      ...(event === undefined ? {} : { event }),
      ...(event === undefined && place !== undefined ? { turn: place.id } : {}),
    });
  } else {
    const said = around(candidate.quote, await spoken.of(found.evidence));
    const dated = typeof value === "string" ? annotateDates(value, datesOf(engine).phrasesIn(value, said)) : value;
    const claim = toClaim(engine, { ...candidate, value: dated }, found, batch);
    if (claim === null) invalid(counts, batch);
    else if ("status" in claim) countOutcome(counts, claim);
    else task.claims.push(claim);
  }
}

/** When and where a quote was said, and its languages; where it is too short to tell, those of the words around it. */
function around(quote: string, { at, zone, languages }: Spoken): Pick<Spoken, "at" | "zone" | "languages"> {
  const own = guessLanguages(quote);
  const both = own.filter((language) => languages.includes(language));
  return { at, zone, languages: both.length > 0 ? both : own.length > 0 ? own : languages };
}

/** One that can't be a fact of this person: left out, or the end of a batch that is kept whole or not at all. */
function invalid(counts: CandidateCounts, { whole }: Batch): void {
  counts.invalid++;
  if (!whole) return;
  throw new MemoryError(
    "DISTILLER_FAILED",
    "A candidate is no fact of the person it was asked about; the batch is left.",
  );
}

function isWeak(engine: Engine, { confidence, topic, key, value }: FactCandidate, whole: boolean): boolean {
  const isEmpty = typeof value === "string" ? value.trim() === "" : false;
  return (
    confidence < engine.policy.extract.minConfidence || isEmpty || (whole && topic === undefined && key === undefined)
  );
}

/** A candidate's value with its dates as the words around its quote mean them, and what those dates are. */
function withRightDates(
  engine: Engine,
  { value, quote }: FactCandidate,
  spoken: Spoken,
): { value: FactCandidate["value"]; dates: string } {
  const phrases = datesOf(engine).phrasesIn(quote, around(quote, spoken));
  return {
    value: mendDates(value, spoken.said, phrases),
    dates: [spoken.dates, ...phrases.map(({ date }) => date)].join(" "),
  };
}

const evidenceOf = ({ turns, events, recent }: Batch): Evidence[] => [
  ...turns.map((turn, index) => turnEvidence(turn, turns[index - 1] ?? recent.at(-1))),
  // What others wrote or noted: as little to be obeyed as any document.
  ...events.map(
    ({ id, at, text }): Evidence => ({ id, at, said: [{ text, origin: "document", answers: "" }], others: "" }),
  ),
];

const wordsOf = (evidence: readonly Evidence[]): string =>
  evidence.flatMap(({ said }) => said.map(({ text }) => text)).join("\n");

/** Words of the turns before, and the names of all who speak: a name is no invention. */
const recentWords = ({ recent, turns, subject }: Batch): string =>
  [
    ...recent.flatMap(({ messages }) => messages.filter(isSpoken).map(messageText)),
    ...[...recent, ...turns].flatMap(({ messages }) => messages.flatMap(({ name }) => name ?? [])),
    subject ?? "",
  ].join("\n");

function namesOf({ recent, turns }: Batch): Surroundings["names"] {
  const messages = [...recent, ...turns].flatMap((turn) => turn.messages);
  const own = new Set(messages.filter(isPersons).flatMap(({ name }) => name ?? []));
  return {
    own: [...own],
    others: [...new Set(messages.flatMap(({ name }) => name ?? []))].filter((name) => !own.has(name)),
  };
}

const isSpoken = (message: Turn["messages"][number]): boolean =>
  isPersons(message) || (message.role === "assistant" && message.origin !== "memory");

/** Which turns of the batch are still there as they were read; `null` where the batch has none. */
async function standingTurns(engine: Engine, { turns, conversation }: Batch): Promise<Set<string> | null> {
  if (turns.length === 0 || conversation === undefined) return null;
  const store = await engine.store();
  const ids = turns.map(({ id }) => id);
  const rows = await store.readTurns({ ...engine.owner, conversation }, { ids, limit: ids.length });
  const said = new Map(turns.map((turn) => [turn.id, turn.messages.map(({ id }) => id).join("\n")]));
  return new Set(
    rows.filter((row) => said.get(row.id) === row.messages.map(({ id }) => id).join("\n")).map(({ id }) => id),
  );
}

/** Takes back what was written from turns that were erased meanwhile. */
async function withoutErased(engine: Engine, batch: Batch, before: ReadonlySet<string> | null): Promise<void> {
  if (before === null || batch.conversation === undefined) return;
  const after = (await standingTurns(engine, batch)) ?? new Set();
  const gone = new Set([...before].filter((id) => !after.has(id)));
  if (gone.size === 0) return;
  const { conversation, subject } = batch;
  const owner = factOwner({ ...engine.owner, conversation, subject }, "user");
  if (owner !== null) await eraseDerivedFacts(engine, owner, { conversation, turns: gone });
  await dropQuarantined(engine, conversation, subject, ({ turn }) => turn !== undefined && gone.has(turn));
}
