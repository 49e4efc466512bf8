import { seededRandom } from "../lib/random.ts";

/** What is in the file, and what a turn says. */
export interface Workload {
  seed: number;
  /** In the whole file. */
  messages: number;
  /** In one conversation; two make a turn. */
  threadMessages: number;
  conversations: number;
  subjects: number;
  facts: number;
  /** Turns at the beginning of each conversation that its summary stands for. */
  foldedTurns: number;
  /** Texts for a seed. @default {@link textSource} */
  texts?: (seed: number) => () => string;
}

export const AGENT = "bench";
const TEXT_BYTES = 250;
const WORDS =
  "the order was placed on monday and should arrive before friday unless the courier asks for a signature at the door of our new office near the station where parking is hard to find so please call ahead of time or leave it with the neighbour who is usually home after lunch and speaks french italian plus some german".split(
    " ",
  );

export function createWorkload(options: { seed: number; messages: number }): Workload {
  const threadMessages = 100;
  const conversations = Math.max(1, Math.round(options.messages / threadMessages));
  return {
    ...options,
    threadMessages,
    conversations,
    subjects: Math.max(1, Math.round(conversations / 10)),
    facts: 12,
    foldedTurns: threadMessages / 2 - 10,
  };
}

export const conversationId = (index: number): string => `conversation-${index}`;
export const subjectId = (workload: Workload, conversation: number): string =>
  `subject-${conversation % workload.subjects}`;

/** Texts of about 250 bytes, the same for the same seed, made beforehand: making one is no part of a turn. */
export function textSource(seed: number): () => string {
  const random = seededRandom(seed);
  const makeText = (): string => {
    const words: string[] = [];
    for (let length = 0; length < TEXT_BYTES; ) {
      const word = WORDS[Math.floor(random() * WORDS.length)] ?? "";
      words.push(word);
      length += word.length + 1;
    }
    return words
      .join(" ")
      .slice(0, TEXT_BYTES - 1)
      .trimEnd();
  };
  const texts = Array.from({ length: 997 }, makeText);
  let next = 0;
  return () => texts[next++ % texts.length] ?? "";
}

/** The workload's texts. */
export const textsOf = ({ seed, texts = textSource }: Workload, add = 0): (() => string) => texts(seed + add);

/** A fact of a subject. */
export const factOf = (index: number): { key: string; value: string } => ({
  key: `preference ${index}`,
  value: `prefers option ${index} for deliveries to the office`,
});

/** A summary of about a kilobyte. */
export function summaryText(seed: number): string {
  const next = textSource(seed);
  return [next(), next(), next(), next()].join(" ");
}
