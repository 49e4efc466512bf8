/** What a model answered about one exchange. */
export interface RecordedExtraction {
  /** The texts of the exchange in order, as they were said. */
  said: readonly string[];
  /** The model's own text; for exchanges that are asked about together its facts are joined. */
  answer: string;
}

/** What a model answered about a stretch of a conversation. */
export interface RecordedSummary {
  /** A text that only this stretch holds. */
  includes: string;
  /** The model's own text. */
  answer: string;
}

/** A model's recorded or annotated answers. */
export interface Recording {
  extractions: readonly RecordedExtraction[];
  summaries?: readonly RecordedSummary[];
}

/** A model that answers core's prompts from a recording, the same every time. */
export interface ReplayModel {
  /** Answers one prompt, as `modelDistiller` asks. */
  ask(prompt: { instructions: string; text: string }): string;
  /** Answers requests of Chat Completions and of the Messages API, for `openaiDistiller`, `anthropicSummarizer` … */
  fetch: typeof globalThis.fetch;
  /** Prompts that were answered, and exchanges in them that the recording doesn't hold. */
  counts: { extractions: number; summaries: number; misses: number };
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

const keyOf = (said: readonly string[]): string =>
  said
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n");

/** Characters of an exchange's beginning that a shortened prompt still shows. */
const HEAD_CHARS = 120;
const headOf = (words: string): string => words.slice(0, HEAD_CHARS);

/** Looks answers up by the exchanges' beginnings, for prompts that show long texts shortened; equal ones answer in turn. */
function answersByHead({ extractions }: Recording): (words: string) => string | undefined {
  const heads = new Map<string, string[]>();
  for (const { said, answer } of extractions) {
    const head = headOf(keyOf(said));
    heads.set(head, [...(heads.get(head) ?? []), answer]);
  }
  return (words) => {
    const answers = heads.get(headOf(words));
    return answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
  };
}

/** Exchanges that a prompt asks about, not those that it shows as context. */
function exchangesIn(text: string): string[] {
  return [...text.matchAll(/<turn label="[^"]*"[^>]*>\n([\s\S]*?)\n<\/turn>/g)].map(([, inside = ""]) =>
    keyOf([...inside.matchAll(/<(user|assistant)>([\s\S]*?)<\/\1>/g)].map(([, , said = ""]) => unescaped(said))),
  );
}

const factsOf = (answer: string): object[] => {
  const parsed: unknown = JSON.parse(answer);
  const facts = Array.isArray(parsed) ? parsed : (parsed as { facts?: unknown }).facts;
  return Array.isArray(facts) ? (facts as object[]) : [];
};

/** Makes a model of a recording. What isn't recorded is answered with no facts, and counted as a miss. */
export function replayModel(recording: Recording): ReplayModel {
  const byWords = new Map(recording.extractions.map(({ said, answer }) => [keyOf(said), answer]));
  const byHead = answersByHead(recording);
  const counts = { extractions: 0, summaries: 0, misses: 0 };

  const extract = (text: string): string => {
    counts.extractions++;
    const answers = exchangesIn(text).map((words) => byWords.get(words) ?? byHead(words));
    counts.misses += answers.filter((answer) => answer === undefined).length;
    // Of one exchange the answer is given as it was, broken or not.
    if (answers.length === 1) return answers[0] ?? '{"facts": []}';
    const facts = answers.flatMap((answer, index) =>
      answer === undefined ? [] : factsOf(answer).map((fact) => ({ turn: `t${index + 1}`, ...fact })),
    );
    return JSON.stringify({ facts });
  };

  const summarize = (text: string): string => {
    counts.summaries++;
    const plain = unescaped(text);
    const previous = /<summary-so-far>\n([\s\S]*?)\n<\/summary-so-far>/.exec(plain)?.[1];
    const turns = plain.slice(plain.indexOf("<turns>"));
    const found = (recording.summaries ?? []).filter(({ includes }) => turns.includes(includes));
    if (found.length === 0) counts.misses++;
    const parts = [...(previous === undefined ? [] : [previous]), ...found.map(({ answer }) => answer)];
    return parts.length === 0 ? "Nothing is recorded of this." : parts.join(" ");
  };

  const ask: ReplayModel["ask"] = ({ text }) => (text.includes("<turns>\n") ? summarize(text) : extract(text));
  return {
    ask,
    counts,
    async fetch(_input, init) {
      // What core sends: a JSON text.
      const body = JSON.parse(String(init?.body)) as { messages: { role: string; content: string }[]; system?: string };
      const text = body.messages.findLast(({ role }) => role === "user")?.content ?? "";
      const answer = ask({ instructions: body.system ?? "", text });
      const json =
        body.system === undefined
          ? { choices: [{ finish_reason: "stop", message: { role: "assistant", content: answer } }] }
          : { content: [{ type: "text", text: answer }], stop_reason: "end_turn" };
      return Response.json(json);
    },
  };
}
