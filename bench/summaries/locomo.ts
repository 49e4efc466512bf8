import { readFileSync } from "node:fs";

/** One thing said. */
export interface Said {
  id: string;
  speaker: string;
  text: string;
}

/** One sitting of a conversation. */
export interface Session {
  number: number;
  /** As the set writes it, for example `"1:56 pm on 8 May, 2023"`. */
  date: string;
  said: Said[];
  /** A language model's summary of the session, part of the set. */
  summary: string;
  /** A language model's facts of the session, part of the set. */
  observations: string;
}

/** A question with a short answer and where its evidence stands. */
export interface Question {
  answer: string;
  category: number;
  sessions: number[];
}

/** One conversation of the set. */
export interface Sample {
  id: string;
  speakers: [string, string];
  sessions: Session[];
  questions: Question[];
}

/** The set's file as far as it is read here. */
interface RawSample {
  sample_id: string;
  conversation: Record<string, unknown>;
  session_summary: Record<string, string>;
  observation: Record<string, Record<string, [string, string | string[]][]>>;
  qa: { answer?: string | number; category: number; evidence: string[] }[];
}

interface RawSaid {
  dia_id: string;
  speaker: string;
  text: string;
  blip_caption?: string;
}

/** Reads LoCoMo (`locomo10.json`). Photos are told by their captions, as the set's authors do. */
export function readLocomo(file: string): Sample[] {
  // The file is a fixed, published one.
  const raw = JSON.parse(readFileSync(file, "utf8")) as RawSample[];
  return raw.map((sample) => ({
    id: sample.sample_id,
    speakers: [String(sample.conversation.speaker_a), String(sample.conversation.speaker_b)],
    sessions: readSessions(sample),
    questions: sample.qa.map(({ answer, category, evidence }) => ({
      answer: String(answer ?? ""),
      category,
      sessions: [...new Set(evidence.flatMap(evidenceSessions))],
    })),
  }));
}

function readSessions(sample: RawSample): Session[] {
  const sessions: Session[] = [];
  for (let number = 1; ; number++) {
    const said = sample.conversation[`session_${number}`];
    if (said === undefined) {
      // Some conversations have a date for a session that isn't there.
      if (sample.conversation[`session_${number + 1}`] === undefined) return sessions;
      continue;
    }
    sessions.push({
      number,
      date: String(sample.conversation[`session_${number}_date_time`] ?? ""),
      said: (said as RawSaid[]).map(({ dia_id, speaker, text, blip_caption }) => ({
        id: dia_id,
        speaker,
        text: blip_caption === undefined ? text : `${text} [shares a photo: ${blip_caption}]`,
      })),
      summary: sample.session_summary[`session_${number}_summary`] ?? "",
      observations: Object.values(sample.observation[`session_${number}_observation`] ?? {})
        .flatMap((list) => list.map(([text]) => text))
        .join("\n"),
    });
  }
}

/** Sessions of an evidence id; the set has malformed ones like `"D8:6; D9:17"` and `"D:11:26"`. */
const evidenceSessions = (evidence: string): number[] =>
  [...evidence.matchAll(/D:?(\d+):(\d+)/g)].map(([, session]) => Number(session));
