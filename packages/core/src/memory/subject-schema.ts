import { z } from "zod";
import { checkId } from "../checks/ids.ts";
import { checkJson } from "../checks/json.ts";
import type { Json } from "../contract/json.ts";
import { ORIGINS, type Origin } from "../contract/origin.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { normaliseKey, normaliseTags } from "../facts/fact-key.ts";
import { isReserved } from "./records.ts";

const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

const text = z.lazy(() => z.string().refine((value) => value.isWellFormed(), "a text with half a character in it"));
const id = z.lazy(() => z.string().refine((value) => passes(() => checkId(value, "id")), "no id"));
/** In the one form that compares as text. */
const time = z.lazy(() => z.iso.datetime({ offset: true }).transform((value) => new Date(value).toISOString()));
const json = z.lazy(() => z.custom<Json>((value) => passes(() => checkJson(value, "value")), "not plain JSON"));
const origin = z.lazy(() => z.enum(ORIGINS as [Origin, ...Origin[]]));
const key = z.lazy(() =>
  z
    .string()
    .refine((value) => passes(() => normaliseKey(value)), "no fact key")
    .transform(normaliseKey),
);
const hashes = z.lazy(() => z.array(z.string().regex(/^[0-9a-f]{64}$/)));

const fact = () =>
  z.object({
    id,
    key: key.optional(),
    topic: id.optional(),
    value: json,
    type: z.enum(["fact", "preference", "relationship", "instruction"]),
    tags: z.array(text).transform(normaliseTags),
    author: z.enum(["agent", "operator", "user", "distiller", "import"]),
    origin,
    confidence: z.number().min(0).max(1).optional(),
    source: z.object({ conversation: id, turn: id, quote: text.optional() }).optional(),
    event: z.object({ id, source: text, quote: text.optional() }).optional(),
    createdAt: time,
    updatedAt: time,
    expiresAt: time.optional(),
    validFrom: time,
    validTo: time.optional(),
    supersededBy: id.optional(),
    disputedWith: id.optional(),
    truncated: z.boolean().optional(),
    version: z.int().positive(),
  });

const turn = z.lazy(() =>
  z.object({
    id,
    seq: z.int(),
    status: z.enum(["completed", "aborted", "failed", "paused"]),
    startedAt: time,
    endedAt: time.optional(),
    messages: z.array(
      z.looseObject({
        id,
        role: z.enum(["user", "assistant", "tool", "system"]),
        createdAt: time.optional(),
        origin: origin.optional(),
      }),
    ),
    agentName: text.optional(),
    replaces: id.optional(),
    replacedBy: id.optional(),
    hidden: z.boolean().optional(),
    error: z.object({ code: text, message: text }).optional(),
  }),
);

const conversation = z.lazy(() =>
  z.object({
    id,
    title: text.optional(),
    metadata: z.record(z.string(), json).optional(),
    createdAt: time.optional(),
    updatedAt: time.optional(),
    transcript: z.array(turn),
    summary: z.object({ text, turns: z.int().nonnegative(), createdAt: time }).nullish(),
    summarizedThrough: id.nullish(),
    clearedThrough: id.nullish(),
    facts: z.array(fact().extend({ scope: z.literal("conversation") })),
    artifacts: z.array(z.object({ key: id, base64: z.base64() })).optional(),
    forgotten: hashes.optional(),
  }),
);

const record = z.lazy(() =>
  z.object({
    namespace: z
      .array(id)
      .min(1)
      .refine((labels) => !isReserved(labels), "not a host's namespace"),
    key: id,
    value: json,
    expiresAt: time.optional(),
  }),
);

const subjectExport = z.lazy(() =>
  z.object({
    format: z.literal("throughline/subject@1"),
    subject: id,
    conversations: z.array(conversation),
    facts: z.array(fact().extend({ scope: z.enum(["user", "global"]) })),
    records: z.array(record),
    events: z.array(z.object({ id, source: text, text, at: time })).optional(),
    forgotten: z.object({ mark: z.string(), user: hashes, global: hashes }).optional(),
  }),
);

/** An export as it was read: whole, in the forms that are stored, and without anything that isn't known. */
export type ReadExport = z.output<typeof subjectExport>;
/** A conversation of it. */
export type ReadConversation = ReadExport["conversations"][number];
/** A fact of it. */
export type ReadFact = (ReadExport["facts"] | ReadConversation["facts"])[number];

/** Reads an export. Throws `INVALID_ARGUMENT` for what is none, and names the place. */
export function readExport(data: unknown): ReadExport {
  let parsed: z.ZodSafeParseResult<ReadExport>;
  try {
    // As it would arrive in a file: nothing but JSON, and no member that is `undefined`.
    parsed = subjectExport.safeParse(JSON.parse(JSON.stringify(data) ?? "null"));
  } catch (cause) {
    throw new MemoryError("INVALID_ARGUMENT", "This is no subject export: it is not JSON, or nested too deeply.", {
      cause,
    });
  }
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new MemoryError(
    "INVALID_ARGUMENT",
    `This is no subject export: ${issue?.path.join(".") || "the whole"} (${issue?.message ?? "wrong shape"}).`,
  );
}
