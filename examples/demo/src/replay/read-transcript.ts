import { z } from "zod";

/** One message of a transcript. */
export interface TranscriptLine {
  /** Line in the file, from 1. */
  line: number;
  role: "user" | "assistant" | "system";
  content: string;
  /** ISO 8601, UTC. */
  time: string;
  conversation?: string;
  subject?: string;
}

/** A line that can't be used, and why. */
export interface BadLine {
  line: number;
  why: string;
}

/** A transcript as read: it can be recorded only when there is no bad line. */
export interface ReadTranscript {
  lines: TranscriptLine[];
  bad: BadLine[];
}

const time = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: "must be an ISO 8601 time, such as 2026-01-31T09:30:00Z",
  })
  // A time without a zone is read alike on every machine.
  .transform((text) => (/(Z|[+-]\d\d:?\d\d)$/.test(text) || !text.includes("T") ? text : `${text}Z`))
  .refine((text) => !Number.isNaN(Date.parse(text)), { error: "is no time that exists" })
  .transform((text) => new Date(text).toISOString());

const MAX_ID_BYTES = 512;

/** What the memory takes as an id. */
const id = z
  .string({ error: "must be a text" })
  .min(1, { error: "must not be empty" })
  .refine((text) => Buffer.byteLength(text) <= MAX_ID_BYTES, { error: `must not be over ${MAX_ID_BYTES} bytes` })
  .refine((text) => text.isWellFormed() && !text.includes("\0"), { error: "holds NUL or a lone surrogate" });

const lineSchema = z
  .looseObject({
    role: z.enum(["user", "assistant", "system"], { error: "must be user, assistant or system" }),
    content: z
      .string({ error: "must be a text" })
      .refine((text) => text.trim() !== "", { error: "must not be empty" })
      .refine((text) => text.isWellFormed(), { error: "holds half of a character (a lone surrogate)" }),
    time,
    conversation: id.optional(),
    /** The same under another name. */
    session: id.optional(),
    subject: id.optional(),
  })
  .transform(({ role, content, time, conversation, session, subject }) => ({
    role,
    content,
    time,
    conversation: conversation ?? session,
    subject,
  }));

/** Reads JSON lines; empty lines are passed over. Pure. */
export function readTranscript(text: string): ReadTranscript {
  const lines: TranscriptLine[] = [];
  const bad: BadLine[] = [];
  const subjects = new Map<string, string | undefined>();
  text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .forEach((raw, index) => {
      if (raw.trim() === "") return;
      const line = index + 1;
      const read = readLine(raw);
      if (typeof read === "string") {
        bad.push({ line, why: read });
        return;
      }
      const { conversation, subject, ...rest } = read;
      const group = conversation ?? "";
      if (subjects.has(group) && subjects.get(group) !== subject) {
        bad.push({ line, why: "subject: another one than in the lines before it of this conversation" });
        return;
      }
      subjects.set(group, subject);
      lines.push({
        line,
        ...rest,
        ...(conversation === undefined ? {} : { conversation }),
        ...(subject === undefined ? {} : { subject }),
      });
    });
  return { lines, bad };
}

function readLine(raw: string): z.output<typeof lineSchema> | string {
  let json: unknown;
  try {
    json = JSON.parse(raw);
  } catch {
    return "not JSON";
  }
  const parsed = lineSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  return parsed.error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : "must be a JSON object"))
    .join("; ");
}
