import type { MessageInput } from "@throughline/core";
import type { RecordedExtraction, RecordedSummary, Recording } from "./replay-model.ts";

/** One thing said in LoCoMo. */
interface Said {
  id: string;
  speaker: string;
  text: string;
}

/** An annotated fact: what a model observed of a speaker, and where. */
export interface Observation {
  /** Name of whom it is about. */
  speaker: string;
  text: string;
  /** Ids of what was said. */
  evidence: readonly string[];
}

/** One sitting of a conversation. */
export interface LocomoSession {
  id: string;
  /** ISO 8601. */
  at: string;
  said: readonly Said[];
  summary: string;
  observations: readonly Observation[];
}

/** One conversation of two people. */
export interface LocomoSample {
  id: string;
  /** Names of the two, as the set orders them. */
  speakers: readonly [string, string];
  sessions: readonly LocomoSession[];
}

/** A turn of a sample, where one speaker is the person and the other one stands in the assistant's place. */
export interface LocomoTurn {
  id: string;
  conversation: string;
  /** ISO 8601. */
  at: string;
  messages: MessageInput[];
}

/** The set's file as far as it is read here; it is a fixed, published one. */
interface RawSample {
  sample_id: string;
  conversation: Record<string, unknown>;
  session_summary: Record<string, string>;
  observation: Record<string, Record<string, [string, string | string[]][]>>;
}

/** `"1:56 pm on 8 May, 2023"` as ISO 8601. */
function timeOf(date: string): string {
  const [, hour = "0", minute = "0", half = "am", day = "1 January 2023"] =
    /^(\d+):(\d+) (am|pm) on (.+)$/.exec(date.trim()) ?? [];
  const hours = (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  const at = new Date(`${day.replace(",", "")} ${String(hours).padStart(2, "0")}:${minute}:00 UTC`);
  return Number.isNaN(at.getTime()) ? "2023-01-01T00:00:00.000Z" : at.toISOString();
}

/** Reads LoCoMo's `locomo10.json`, given as parsed JSON. Photos are told by their captions, as the set's authors do. */
export function readLocomo(json: unknown): LocomoSample[] {
  return (json as RawSample[]).map((sample) => {
    const { conversation } = sample;
    const numbers = Object.keys(conversation)
      .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
    const sessions = numbers.map((number): LocomoSession => {
      const said = conversation[`session_${number}`] as {
        dia_id: string;
        speaker: string;
        text: string;
        blip_caption?: string;
      }[];
      const observed = Object.entries(sample.observation[`session_${number}_observation`] ?? {});
      return {
        id: `${sample.sample_id}-${number}`,
        at: timeOf(String(conversation[`session_${number}_date_time`] ?? "")),
        said: said.map(({ dia_id: id, speaker, text, blip_caption: caption }) => ({
          id,
          speaker,
          text: caption === undefined ? text : `${text} [shares a photo: ${caption}]`,
        })),
        summary: sample.session_summary[`session_${number}_summary`] ?? "",
        observations: observed.flatMap(([speaker, list]) =>
          list.map(([text, evidence]) => ({ speaker, text, evidence: [evidence].flat() })),
        ),
      };
    });
    const speakers = [String(conversation.speaker_a), String(conversation.speaker_b)] as const;
    return { id: sample.sample_id, speakers, sessions };
  });
}

/** The turns of a session, seen from one speaker: a turn begins where that one speaks after the other. */
export function locomoTurns({ id, at, said }: LocomoSession, person: string): LocomoTurn[] {
  const turns: LocomoTurn[] = [];
  let previous: string | undefined;
  for (const { id: message, speaker, text } of said) {
    const last = turns.at(-1);
    const begins = last === undefined || (speaker === person && previous !== person && previous !== undefined);
    const turn = begins ? { id: `${id}/${turns.length + 1}`, conversation: id, at, messages: [] } : last;
    if (begins) turns.push(turn);
    turn.messages.push({
      id: message,
      role: speaker === person ? "user" : "assistant",
      name: speaker,
      content: text,
      createdAt: at,
    });
    previous = speaker;
  }
  return turns;
}

/**
 * LoCoMo's annotations as a recording: the observations of both speakers answer the extraction prompt of the turn they cite,
 * each with the words it cites as its quote, and the session summaries the summary prompt.
 */
export function locomoRecording(sample: LocomoSample, person: string): Recording {
  const extractions: RecordedExtraction[] = [];
  const summaries: RecordedSummary[] = [];
  for (const session of sample.sessions) {
    const texts = new Map(session.said.map(({ id, text }) => [id, text]));
    for (const { messages } of locomoTurns(session, person)) {
      const ids = new Set(messages.map(({ id }) => id));
      const facts = session.observations.flatMap(({ text, evidence }) => {
        const cited = evidence.find((id) => ids.has(id));
        return cited === undefined
          ? []
          : [{ topic: "observation", value: text, confidence: 1, quote: texts.get(cited) ?? "" }];
      });
      extractions.push({ said: messages.map(({ content = "" }) => content), answer: JSON.stringify({ facts }) });
    }
    const longest = [...session.said].sort((a, b) => b.text.length - a.text.length)[0];
    if (longest !== undefined) summaries.push({ includes: longest.text, answer: session.summary });
  }
  return { extractions, summaries };
}
