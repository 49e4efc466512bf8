import { readFileSync } from "node:fs";
import { dataPath, readJson } from "./data-folder.ts";
import { MEMORYBANK_LABELS } from "./memorybank-labels.ts";
import type { Story } from "./question-set.ts";

type RawUsers = Record<string, { history: Record<string, { query: string; response: string }[]> }>;

/** MemoryBank's Chinese chats, a day each, with the questions that were labelled by hand; `undefined` without the data. */
export function memoryBank(): Story[] | undefined {
  const chats = dataPath("memorybank", "memory_bank_cn.json");
  const asked = dataPath("memorybank", "probing_questions_cn.jsonl");
  if (chats === undefined || asked === undefined) return undefined;
  // The set's files are fixed, published ones.
  const users = readJson(chats) as RawUsers;
  const lines = readFileSync(asked, "utf8").trim().split("\n");
  const questions = lines.flatMap((line) =>
    Object.entries(JSON.parse(line) as Record<string, string[]>).flatMap(([user, texts]) =>
      texts.map((text) => ({ user, text })),
    ),
  );
  return Object.entries(users).map(([user, { history }]) => ({
    id: user,
    isTuning: false,
    said: Object.entries(history).flatMap(([day, turns]) =>
      turns.map(({ query, response }, index) => {
        const turn = `${day}/${index + 1}`;
        const createdAt = `${day}T12:00:00.000Z`;
        return {
          conversation: `${user}-${day}`,
          turn,
          at: createdAt,
          messages: [
            { id: `${turn}-q`, role: "user" as const, content: query, createdAt },
            { id: `${turn}-a`, role: "assistant" as const, content: response, createdAt },
          ],
        };
      }),
    ),
    questions: questions.flatMap(({ user: asker, text }, index) => {
      const labels = MEMORYBANK_LABELS[index + 1];
      return asker === user && labels !== undefined ? [{ text, category: "zh", evidence: new Set(labels) }] : [];
    }),
  }));
}
