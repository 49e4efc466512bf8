import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dataPath, readJson } from "./data-folder.ts";
import type { Question, Said, Story } from "./question-set.ts";

const TUNING_CHATS = 5;

interface RawMessage {
  id: number;
  role: "user" | "assistant";
  content: string;
  time_anchor?: string;
}

/** BEAM-100K: long chats of a person with an assistant; `undefined` without the data. */
export function beam(): Story[] | undefined {
  const root = dataPath("beam", "100K");
  if (root === undefined) return undefined;
  const chats = readdirSync(root).sort((a, b) => Number(a) - Number(b));
  return chats.map((chat, index) => {
    // The set's files are fixed, published ones.
    const batches = readJson(join(root, chat, "chat.json")) as { turns: RawMessage[][] }[];
    const probing = readJson(join(root, chat, "probing_questions", "probing_questions.json")) as Record<
      string,
      { question: string; source_chat_ids?: unknown }[]
    >;
    const said = batches.flatMap(({ turns }, batch) => turnsOf(chat, batch, turns.flat()));
    const ids = new Set(said.flatMap(({ messages }) => messages.map(({ id }) => id)));
    const questions = Object.entries(probing).flatMap(([category, list]) =>
      list.flatMap(({ question: text, source_chat_ids: sources }): Question[] => {
        const evidence = new Set(
          numbersIn(sources)
            .map(String)
            .filter((id) => ids.has(id)),
        );
        return evidence.size === 0 ? [] : [{ text, category, evidence }];
      }),
    );
    return { id: chat, isTuning: index < TUNING_CHATS, said, questions };
  });
}

/** A turn begins with the person's words. The set's marks at their end are no words. */
function turnsOf(chat: string, batch: number, messages: readonly RawMessage[]): Said[] {
  const said: Said[] = [];
  let at = new Date(Date.UTC(2024, 0, 1)).toISOString();
  for (const { id, role, content, time_anchor: anchor } of messages) {
    const time = anchor === undefined ? Number.NaN : Date.parse(`${anchor.replaceAll("-", " ")} UTC`);
    if (!Number.isNaN(time)) at = new Date(time).toISOString();
    const message = { id: String(id), role, content: content.replace(/\s*->->.*$/, ""), createdAt: at };
    const last = said.at(-1);
    if (last === undefined || role === "user") {
      said.push({ conversation: `${chat}-${batch}`, turn: `t${id}`, at, messages: [message] });
    } else last.messages.push(message);
  }
  return said;
}

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}
