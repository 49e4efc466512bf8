import { join } from "node:path";
import type { RecordedExtraction } from "@throughline/testkit";
import { readJson } from "../recall/data-folder.ts";
import type { Said, Story } from "../recall/question-set.ts";

/** A change that BEAM annotates: what held, what holds now, and the question about it. */
export interface Update {
  question: string;
  before: string;
  after: string;
}

/** A question about one of two things that are alike. */
export interface Parallel {
  question: string;
  meant: string;
  other: string;
}

/** A chat as a distiller would have drawn from it: its answers turn by turn, and which of its notes are a change. */
export interface UpdateChat {
  id: string;
  isTuning: boolean;
  said: readonly Said[];
  extractions: readonly RecordedExtraction[];
  updates: readonly Update[];
  parallels: readonly Parallel[];
  /** Questions about how something was before it changed: the old value is meant. */
  earlier: readonly Parallel[];
  /** Notes of other things, in the person's own words. */
  controls: readonly string[];
}

interface RawUpdate {
  question: string;
  conversation_references: string[];
  source_chat_ids: { original_info: number[]; updated_info: number[] };
}

const MAX_NOTE_CHARS = 300;
const MIN_NOTE_WORDS = 5;
const MAX_CLAUSES = 3;

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** How much of two texts is one, 0 … 1; what holds a digit says more. */
function likeness(a: string, b: string): number {
  const weigh = (words: Iterable<string>): number =>
    [...words].reduce((sum, word) => sum + (/\d/.test(word) ? 3 : 1), 0);
  const [own, other] = [wordsOf(a), wordsOf(b)];
  const both = weigh([...own].filter((word) => other.has(word)));
  return (2 * both) / Math.max(1, weigh(own) + weigh(other));
}

const best = (texts: readonly string[], like: string): string =>
  [...texts].sort((a, b) => likeness(b, like) - likeness(a, like))[0] ?? "";

/** `"Label: Other label: A sentence."` without its labels. */
const withoutLabel = (text: string): string => text.replace(/^(?:[\p{L} &]+:\s*)+/u, "");

/** What the person says before any code or pasted text. */
const spoken = (content: string): string => content.split(/```|\n/)[0]?.trim() ?? "";

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** Runs of one to three clauses of a sentence: what a distiller that keeps to the person's words would note of it. */
function clausesOf(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment }) => {
    const ends = [...segment.matchAll(/[,;?!.](?=\s|$)| - /g)].map(({ index }) => index);
    const starts = [0, ...ends.map((end) => end + 1)];
    const stops = [...ends, segment.length];
    return starts.flatMap((start, first) =>
      stops.slice(first, first + MAX_CLAUSES).map((stop) =>
        segment
          .slice(start, stop)
          .replace(/^[\s\-,]+/, "")
          .trim(),
      ),
    );
  });
}

/**
 * The recording of one chat. Each annotated change is two notes, of the message that says the old value and of the one
 * that says the new; every other message of the person gives its first clauses as a note. No note has a key, a topic,
 * or names the one that it changes. A note is the annotator's sentence; where what was said doesn't bear that out, so that
 * the memory would quarantine it, it is the person's own clauses.
 */
export function recordUpdates(root: string, story: Story, isBorneOut: (annotated: string) => boolean): UpdateChat {
  const probing = readJson(join(root, story.id, "probing_questions", "probing_questions.json")) as {
    knowledge_update: RawUpdate[];
  };
  const own = story.said.flatMap(({ messages }) => messages.filter(({ role }) => role === "user"));
  const notes = new Map<string, { value: string; quote: string }[]>();
  const note = (id: string, value: string, quote: string): void => {
    notes.set(id, [...(notes.get(id) ?? []), { value, quote }]);
  };
  const updates = probing.knowledge_update.map((raw): Update => {
    const place = (ids: readonly number[], text: string): string => {
      const named = own.filter(({ id }) => ids.includes(Number(id)));
      const from = named.length > 0 ? named : own;
      const content = best(
        from.map((message) => message.content ?? ""),
        text,
      );
      const message = from.find((each) => each.content === content);
      const quote = best(clausesOf(content), text);
      const value = isBorneOut(text) ? text : quote;
      note(message?.id ?? "", value, quote);
      return value;
    };
    const [before = "", after = ""] = raw.conversation_references.map(withoutLabel);
    return {
      question: raw.question,
      before: place(raw.source_chat_ids.original_info, before),
      after: place(raw.source_chat_ids.updated_info, after),
    };
  });
  const controls: string[] = [];
  for (const { id, content = "" } of own) {
    const value = clausesOf(spoken(content))[1] ?? "";
    if (notes.has(id ?? "") || value.length > MAX_NOTE_CHARS || wordsOf(value).size < MIN_NOTE_WORDS) continue;
    controls.push(value);
    note(id ?? "", value, value);
  }
  return {
    id: story.id,
    isTuning: story.isTuning,
    said: story.said,
    updates,
    parallels: [],
    earlier: [],
    controls,
    extractions: story.said.map(({ messages }) => ({
      said: messages.map(({ content = "" }) => content),
      answer: JSON.stringify({
        facts: messages.flatMap(({ id }) => (notes.get(id ?? "") ?? []).map((each) => ({ ...each, confidence: 1 }))),
      }),
    })),
  };
}
