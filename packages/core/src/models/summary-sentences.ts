import type { Turn } from "../contract/message.ts";
import { messageText } from "../conversation/message-text.ts";
import { splitSentences } from "./split-sentences.ts";

/** One sentence that may stand in a summary, and who said it when. */
export interface SummarySentence {
  text: string;
  /** `""` for a line that names nobody. */
  speaker: string;
  /** `YYYY-MM-DD`, or `""` where it isn't known. */
  day: string;
  isAssistant: boolean;
  /** It stands in the previous summary. */
  isKept: boolean;
}

/** An optional day, a speaker, and what was said. */
const LINE = /^(?:\[(\d{4}-\d{2}-\d{2})\] )?(?:([^:]{1,64}): )?(.*)$/su;

const USER = "User";
const ASSISTANT = "Assistant";

const label = (name: string | undefined, fallback: string): string =>
  name
    ?.replace(/[\s:：[\]]+/gu, " ")
    .trim()
    .slice(0, 64)
    .toWellFormed() || fallback;

/**
 * What users and the assistant said in turns, sentence by sentence. Tool calls and results, reasoning, system messages
 * and texts that memory itself put in are left out.
 */
export function sentencesOfTurns(turns: readonly Turn[]): SummarySentence[] {
  const sentences: SummarySentence[] = [];
  for (const { messages } of turns) {
    for (const message of messages) {
      const isAssistant = message.role === "assistant";
      if ((message.role !== "user" && !isAssistant) || message.origin === "memory") continue;
      const speaker = label(message.name, isAssistant ? ASSISTANT : USER);
      const day = /^\d{4}-\d{2}-\d{2}/.exec(message.createdAt)?.[0] ?? "";
      for (const text of splitSentences(messageText(message).toWellFormed())) {
        sentences.push({ text, speaker, day, isAssistant, isKept: false });
      }
    }
  }
  return sentences;
}

/** The sentences of a summary. One that a model wrote is read as well: its lines name nobody, or begin alike. */
export function sentencesOfSummary(summary: string, assistants: ReadonlySet<string>): SummarySentence[] {
  const sentences: SummarySentence[] = [];
  let day = "";
  for (const line of summary.split("\n")) {
    const [, marked, speaker = "", said = ""] = LINE.exec(line.trim()) ?? [];
    day = marked ?? day;
    const isAssistant = speaker === ASSISTANT || assistants.has(speaker);
    for (const text of splitSentences(said)) sentences.push({ text, speaker, day, isAssistant, isKept: true });
  }
  return sentences;
}

/** Writes sentences as lines: the day where it changes, the speaker once for what they said in a row. */
export function renderSentences(sentences: readonly SummarySentence[]): string {
  const lines: string[] = [];
  let day = "";
  let speaker: string | null = null;
  for (const sentence of sentences) {
    const mark = sentence.day !== "" && sentence.day !== day ? `[${sentence.day}] ` : "";
    if (mark === "" && sentence.speaker === speaker && speaker !== "") {
      lines[lines.length - 1] += ` ${sentence.text}`;
    } else lines.push(`${mark}${sentence.speaker === "" ? "" : `${sentence.speaker}: `}${sentence.text}`);
    day = sentence.day === "" ? day : sentence.day;
    speaker = sentence.speaker;
  }
  return lines.join("\n");
}
