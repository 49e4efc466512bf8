import type { Summarizer, Turn } from "@throughline/core";
import type { Sample, Session } from "./locomo.ts";

/** Messages folded at a time: what the default policy (20 in history, 10 kept) folds. */
const FOLD_MESSAGES = 10;

/** Both speakers are people, or the second plays the assistant. */
export type Roles = "people" | "second-is-assistant";

/** Folds a conversation ten messages at a time into a summary of at most `maxTokens`, as the memory does. */
export async function rollingFold(
  sample: Sample,
  summarize: Summarizer,
  { maxTokens, roles }: { maxTokens: number; roles: Roles },
): Promise<string> {
  const turns = sample.sessions.flatMap((session) => turnsOf(session, sample, roles));
  let previous: string | null = null;
  const each = FOLD_MESSAGES / 2;
  for (let index = 0; index < turns.length; index += each) {
    previous = await summarize({ previous, turns: turns.slice(index, index + each), maxTokens });
  }
  return previous ?? "";
}

function turnsOf(session: Session, sample: Sample, roles: Roles): Turn[] {
  const at = isoDate(session.date);
  const turns: Turn[] = [];
  for (let index = 0; index < session.said.length; index += 2) {
    const pair = session.said.slice(index, index + 2);
    turns.push({
      id: pair[0]?.id ?? "",
      conversation: sample.id,
      seq: turns.length + 1,
      status: "completed",
      startedAt: at,
      messages: pair.map(({ id, speaker, text }) => ({
        id,
        role: roles === "second-is-assistant" && speaker === sample.speakers[1] ? "assistant" : "user",
        name: speaker,
        createdAt: at,
        parts: [{ type: "text", text }],
      })),
    });
  }
  return turns;
}

/** `"1:56 pm on 8 May, 2023"` as ISO 8601; only the day matters here. */
function isoDate(date: string): string {
  const day = new Date(`${date.replace(/^.* on /, "").replace(",", "")} UTC`);
  return day.toISOString();
}

/**
 * What of a summary made of whole sentences comes from each session: every sentence counts for the sessions in which
 * it was said, and for no other.
 */
export function bySession(sample: Sample, summary: string): Map<number, string> {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const sources = sample.sessions.map(({ number, said }) => ({
    number,
    text: ` ${said.map(({ text }) => wordsOnly(text)).join(" | ")} `,
  }));
  const kept = new Map<number, string>(sources.map(({ number }) => [number, sample.speakers.join(" ")]));
  for (const line of summary.split("\n")) {
    const said = line.replace(/^(\[[\d-]+\] )?[^:]{1,64}: /, "");
    for (const { segment } of segmenter.segment(said)) {
      const sentence = wordsOnly(segment);
      if (sentence === "") continue;
      for (const { number, text } of sources) {
        if (text.includes(` ${sentence} `)) kept.set(number, `${kept.get(number)}\n${segment}`);
      }
    }
  }
  return kept;
}

const wordsOnly = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
