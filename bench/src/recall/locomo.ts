import { readLocomo } from "@throughline/testkit";
import { dataPath, readJson } from "./data-folder.ts";
import type { Question, Story } from "./question-set.ts";

const TUNING = new Set(["conv-26", "conv-30", "conv-41"]);
const CATEGORIES = ["", "multi-hop", "temporal", "open", "single-hop", "adversarial"];

interface RawQuestion {
  question: string;
  category: number;
  evidence?: string[];
}

/**
 * LoCoMo: conversations of two people over months, each sitting a conversation and each utterance a turn of its speaker;
 * `undefined` without the data. Malformed evidence ids are mended, questions without any are left out.
 */
export function locomo(): Story[] | undefined {
  const path = dataPath("locomo", "locomo10.json");
  if (path === undefined) return undefined;
  const json = readJson(path);
  // The set's file is a fixed, published one.
  const raw = json as { qa: RawQuestion[] }[];
  return readLocomo(json).map((sample, index) => {
    const ids = new Set(sample.sessions.flatMap(({ said }) => said.map(({ id }) => id)));
    const said = sample.sessions.flatMap((session) =>
      session.said.map(({ id, speaker, text }) => ({
        conversation: session.id,
        turn: id,
        at: session.at,
        messages: [{ id, role: "user" as const, name: speaker, content: text, createdAt: session.at }],
      })),
    );
    const questions = (raw[index]?.qa ?? []).flatMap(({ question: text, category, evidence = [] }): Question[] => {
      const found = evidence.flatMap((entry) =>
        [...entry.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`),
      );
      const known = new Set(found.filter((id) => ids.has(id)));
      return known.size === 0 ? [] : [{ text, category: CATEGORIES[category] ?? String(category), evidence: known }];
    });
    return { id: sample.id, isTuning: TUNING.has(sample.id), said, questions };
  });
}
