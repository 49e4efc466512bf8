import { extractiveSummarizer } from "@throughline/core";
import type { Sample, Session } from "./locomo.ts";
import { answerRetention } from "./retention.ts";
import { bySession, type Roles, rollingFold } from "./rolling-fold.ts";

/** One line of the table, in percent of the transcript or of the answers. */
export interface Row {
  text: string;
  /** Size in characters, against the transcript with its speakers' names. */
  size: number;
  /** Short answers that stand in full in what comes from their evidence sessions. */
  kept: number;
  /** Short answers whose words stand anywhere in the whole text: flattering, for long texts above all. */
  anywhere: number;
  answers: number;
}

/** Characters of a token of LoCoMo's transcripts, as the memory estimates tokens (measured: 4.22 to 4.38). */
const CHARS_PER_TOKEN = 4.31;

/** A text per session, or one for the whole conversation with the part of each session. */
interface Memory {
  whole: string;
  parts: ReadonlyMap<number, string>;
}

const transcript = ({ said }: Session): string => said.map(({ speaker, text }) => `${speaker}: ${text}`).join("\n");

const transcriptOf = (sample: Sample): string => sample.sessions.map(transcript).join("\n");

const perSession =
  (write: (session: Session) => string) =>
  (sample: Sample): Memory => {
    const parts = new Map(sample.sessions.map((session) => [session.number, write(session)]));
    return { whole: [...parts.values()].join("\n"), parts };
  };

/** What others' texts of the set keep, and the naive way. */
export const references: Record<string, (sample: Sample) => Memory> = {
  transcript: perSession(transcript),
  "observations (model-written facts)": perSession(({ observations }) => observations),
  "session summaries (model-written)": perSession(({ summary }) => summary),
  "first 20 % of each session's messages": perSession((session) =>
    transcript({ ...session, said: session.said.slice(0, Math.round(session.said.length * 0.2)) }),
  ),
};

/** The rolling fold of `extractiveSummarizer()` with `maxTokens` at a share of the transcript's. */
export const extractive =
  (share: number, { roles = "people", dates = true }: { roles?: Roles; dates?: boolean } = {}) =>
  async (sample: Sample): Promise<Memory> => {
    const maxTokens = Math.floor((transcriptOf(sample).length / CHARS_PER_TOKEN) * share);
    const whole = await rollingFold(sample, extractiveSummarizer({ dates }), { maxTokens, roles });
    return { whole, parts: bySession(sample, whole) };
  };

/** Measures one way to write a memory over conversations. */
export async function measure(
  text: string,
  samples: readonly Sample[],
  write: (sample: Sample) => Memory | Promise<Memory>,
): Promise<Row> {
  const sum = { chars: 0, allChars: 0, kept: 0, anywhere: 0, of: 0 };
  for (const sample of samples) {
    const { whole, parts } = await write(sample);
    const strict = answerRetention(sample, (sessions) => sessions.map((number) => parts.get(number) ?? "").join("\n"));
    sum.chars += whole.length;
    sum.allChars += transcriptOf(sample).length;
    sum.kept += strict.kept;
    sum.of += strict.of;
    sum.anywhere += answerRetention(sample, () => whole).kept;
  }
  const percent = (part: number, of: number): number => (of === 0 ? 0 : (100 * part) / of);
  return {
    text,
    size: percent(sum.chars, sum.allChars),
    kept: percent(sum.kept, sum.of),
    anywhere: percent(sum.anywhere, sum.of),
    answers: sum.of,
  };
}
