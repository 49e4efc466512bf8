import * as z from "zod";
import type { Json } from "../contract/json.ts";
import type { FactOwner } from "../contract/owner.ts";
import type { RecordCommit } from "../contract/store-records.ts";
import type { QuarantinedFact } from "../contract/subject-export.ts";
import { comparable } from "../facts/comparable.ts";
import { normaliseKey } from "../facts/fact-key.ts";
import type { Engine } from "../memory/engine.ts";
import { contentHash } from "../text/hash.ts";

/** Records of the library itself; `records` refuses hosts a label that begins with U+0001. */
const ROOT = ["\u0001throughline", "quarantine"] as const;

/** Candidates that are kept for one owner; the oldest go. */
const MAX_KEPT = 200;
const READ_LIMIT = 1_000;

const schema = z.lazy(() =>
  z.object({
    key: z.string().optional(),
    topic: z.string().optional(),
    value: z.custom<Json>((value) => value !== undefined),
    quote: z.string(),
    confidence: z.number(),
    code: z.enum(["QUOTE_NOT_FOUND", "NOT_BORNE_OUT"]),
    conversation: z.string().optional(),
    turn: z.string().optional(),
    event: z.string().optional(),
    at: z.string(),
  }),
);

/** Whose candidates: the subject's, or those of a conversation without one. */
export type QuarantineOwner = { subject: string } | { conversation: string };

const namespaceOf = (owner: QuarantineOwner): string[] =>
  "subject" in owner ? [...ROOT, "subject", owner.subject] : [...ROOT, "conversation", owner.conversation];

/** What was quarantined for an owner, newest first. */
export async function readQuarantine(engine: Engine, owner: QuarantineOwner): Promise<QuarantinedFact[]> {
  const store = await engine.store();
  const query = { now: engine.now(), namespace: namespaceOf(owner), order: "updated", limit: READ_LIMIT } as const;
  const rows = await store.readRecords(engine.owner, query);
  return rows.flatMap(({ key: id, value }) => {
    const parsed = schema.safeParse(value);
    // Absent members of what was parsed aren't there.
    return parsed.success ? [{ id, ...parsed.data } as QuarantinedFact] : [];
  });
}

/** Keeps candidates for a person to see; one that is there already is not kept twice. Answers how many are new. */
export async function quarantine(
  engine: Engine,
  owner: QuarantineOwner,
  entries: readonly Omit<QuarantinedFact, "id">[],
): Promise<number> {
  if (entries.length === 0) return 0;
  const store = await engine.store();
  const kept = await readQuarantine(engine, owner);
  const known = new Set(kept.map(({ id }) => id));
  const fresh = new Map(
    entries.map(
      (entry) => [contentHash(`${entry.key ?? entry.topic ?? ""}\n${comparable(entry.value)}`), entry] as const,
    ),
  );
  for (const id of known) fresh.delete(id);
  if (fresh.size === 0) return 0;
  const namespace = namespaceOf(owner);
  const subject = "subject" in owner ? { subject: owner.subject } : {};
  const commits: RecordCommit[] = [...fresh].map(([key, entry]) => ({
    namespace,
    key,
    // Members that are `undefined` are no JSON.
    value: JSON.parse(JSON.stringify(entry)) as Json,
    ...subject,
  }));
  const over = kept.slice(Math.max(0, MAX_KEPT - fresh.size)).map(({ id: key }) => ({ namespace, key }));
  await store.commitRecords(engine.owner, [...commits, ...over], { now: engine.now() });
  return fresh.size;
}

/** Removes what was quarantined from a conversation. */
export async function dropQuarantined(
  engine: Engine,
  conversation: string,
  subject: string | undefined,
  isMeant: (entry: QuarantinedFact) => boolean = () => true,
): Promise<void> {
  const store = await engine.store();
  const owners: QuarantineOwner[] = [{ conversation }, ...(subject === undefined ? [] : [{ subject }])];
  for (const owner of owners) {
    const entries = (await readQuarantine(engine, owner)).filter(
      (entry) => entry.conversation === conversation && isMeant(entry),
    );
    const commits = entries.map(({ id: key }) => ({ namespace: namespaceOf(owner), key }));
    if (commits.length > 0) await store.commitRecords(engine.owner, commits, { now: engine.now() });
  }
}

/** Removes what was quarantined for the owner of facts that are forgotten: under the key, or all of it. */
export async function forgetQuarantined(
  engine: Engine,
  { scope, id }: Pick<FactOwner, "scope" | "id">,
  key: string | undefined,
): Promise<void> {
  if (scope !== "user" && scope !== "conversation") return;
  const owner: QuarantineOwner = scope === "user" ? { subject: id } : { conversation: id };
  const entries = (await readQuarantine(engine, owner)).filter((entry) => key === undefined || isUnder(entry, key));
  const commits = entries.map(({ id: entry }) => ({ namespace: namespaceOf(owner), key: entry }));
  if (commits.length === 0) return;
  const store = await engine.store();
  await store.commitRecords(engine.owner, commits, { now: engine.now() });
}

/** Whether a candidate would have gone into the slot; its key is as the distiller wrote it. */
function isUnder({ key, topic }: QuarantinedFact, wanted: string): boolean {
  return [key, topic].some((name) => {
    try {
      return name !== undefined && normaliseKey(name) === wanted;
    } catch {
      // No key at all.
      return false;
    }
  });
}

/** Removes what was quarantined from events of a subject. */
export async function dropQuarantinedEvents(
  engine: Engine,
  subject: string,
  events: ReadonlySet<string>,
): Promise<void> {
  const store = await engine.store();
  const entries = (await readQuarantine(engine, { subject })).filter(
    ({ event }) => event !== undefined && events.has(event),
  );
  const commits = entries.map(({ id: key }) => ({ namespace: namespaceOf({ subject }), key }));
  if (commits.length > 0) await store.commitRecords(engine.owner, commits, { now: engine.now() });
}
