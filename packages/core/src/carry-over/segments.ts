import * as z from "zod";
import type { CarryOver } from "../contract/conversation.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { RecordRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";

/** Records of the library itself; `records` refuses hosts a label that begins with U+0001. */
const ROOT = ["\u0001throughline", "carry-over"] as const;
const READ_LIMIT = 1_000;

/** What one conversation brings to its login's carry-over, as it stood from a moment on. */
export interface SegmentVersion {
  text: string;
  /** Sequence number of the newest turn merged in. */
  through: number;
  /** ISO 8601. */
  at: string;
}

/** The part of a carry-over that comes from one conversation. */
export interface Segment {
  conversation: string;
  login: string;
  /** Oldest first. */
  versions: SegmentVersion[];
  /** Of the record. */
  version: number;
}

/** Whether anything is carried over at all: the tiers are on, and there is a summarizer to do it with. */
export const carriesOver = ({ policy, summarizer }: Engine): boolean =>
  policy.carryOver.enabled && policy.conversation.enabled && summarizer !== undefined;

/** A segment as a later conversation is shown it. */
export interface CarriedSegment {
  conversation: string;
  text: string;
  at: string;
}

const schema = z.lazy(() =>
  z.object({ versions: z.array(z.object({ text: z.string(), through: z.int(), at: z.string() })).min(1) }),
);

export const segmentNamespace = (subject: string, login: string): string[] => [...ROOT, subject, login];

function toSegment(row: RecordRow): Segment[] {
  const parsed = schema.safeParse(row.value);
  const login = row.namespace[ROOT.length + 1];
  if (!parsed.success || login === undefined) return [];
  return [{ conversation: row.key, login, versions: parsed.data.versions, version: row.version }];
}

/** Segments of a subject, of one login or of all. */
export async function readSegments(
  engine: Engine,
  subject: string,
  { login, conversation, ...call }: CallOptions & { login?: string | undefined; conversation?: string } = {},
): Promise<Segment[]> {
  const store = await engine.store();
  const namespace = login === undefined ? [...ROOT, subject] : segmentNamespace(subject, login);
  const keys = conversation === undefined || login === undefined ? {} : { keys: [conversation] };
  const rows = await store.readRecords(
    engine.owner,
    { now: engine.now(), namespace, limit: READ_LIMIT, ...keys },
    call,
  );
  return rows
    .flatMap(toSegment)
    .filter((segment) => conversation === undefined || segment.conversation === conversation);
}

/** What a conversation that began at a moment is shown: of every other one what there was then, oldest first. Pure. */
export function carriedAt(segments: readonly Segment[], conversation: string, moment: string): CarriedSegment[] {
  return segments
    .filter((segment) => segment.conversation !== conversation)
    .flatMap((segment) => {
      const version = segment.versions.findLast(({ at }) => at <= moment);
      return version === undefined ? [] : [{ conversation: segment.conversation, text: version.text, at: version.at }];
    })
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.conversation < b.conversation ? -1 : 1));
}

/** All carry-over of a subject, one for each login, most recently changed first. */
export async function readCarryOvers(engine: Engine, subject: string, login?: string): Promise<CarryOver[]> {
  const byLogin = new Map<string, CarriedSegment[]>();
  for (const segment of await readSegments(engine, subject, { login })) {
    const version = segment.versions.at(-1);
    if (version === undefined) continue;
    const list = byLogin.get(segment.login) ?? [];
    list.push({ conversation: segment.conversation, text: version.text, at: version.at });
    byLogin.set(segment.login, list);
  }
  return [...byLogin]
    .map(([name, list]): CarryOver => {
      const segments = list.sort((a, b) => (a.at < b.at ? -1 : 1));
      return {
        login: name,
        text: segments.map(({ text }) => text).join("\n"),
        segments: segments.map(({ conversation, text, at }) => ({ conversation, text, updatedAt: at })),
        updatedAt: segments.at(-1)?.at ?? "",
      };
    })
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** Deletes segments of a subject: of a login, of a conversation, or all. Answers how many there were. */
export async function dropSegments(
  engine: Engine,
  subject: string,
  which: { login?: string | undefined; conversation?: string } = {},
): Promise<number> {
  const segments = await readSegments(engine, subject, which);
  if (segments.length === 0) return 0;
  const store = await engine.store();
  const commits = segments.map((segment) => ({
    namespace: segmentNamespace(subject, segment.login),
    key: segment.conversation,
  }));
  await store.commitRecords(engine.owner, commits, { now: engine.now() });
  return segments.length;
}
