import { dataPath, readJson } from "./data-folder.ts";
import type { Story } from "./question-set.ts";

interface RawItem {
  question_id: string;
  question_type: string;
  question: string;
  answer_session_ids: string[];
  haystack_session_ids?: string[];
  haystack_dates: string[];
  haystack_sessions: { role: "user" | "assistant"; content: string }[][];
}

/** The files it is looked for under: the whole set first, then the sample. */
const FILES = ["longmemeval_s.json", "longmemeval_s_cleaned.json", "longmemeval_s_sample.json"];

/** `2023/05/20 (Sat) 02:21` as ISO 8601. */
function timeOf(date: string): string {
  const [, year, month, day, time] = /^(\d{4})\/(\d{2})\/(\d{2}) \(\w+\) (\d{2}:\d{2})/.exec(date) ?? [];
  return year === undefined ? "2023-01-01T00:00:00.000Z" : `${year}-${month}-${day}T${time}:00.000Z`;
}

/**
 * LongMemEval: each question with a haystack of its own; evidence are whole sessions. `undefined` without a file. Questions
 * whose haystack isn't in the file are left out, and so are those that have no answer.
 */
export function longMemEval(): { file: string; stories: Story[] } | undefined {
  const file = FILES.find((name) => dataPath("longmemeval", name) !== undefined);
  const path = file === undefined ? undefined : dataPath("longmemeval", file);
  if (file === undefined || path === undefined) return undefined;
  // The set's file is a fixed, published one.
  const items = readJson(path) as RawItem[];
  const stories = items.flatMap((item): Story[] => {
    const sessions = item.haystack_session_ids ?? [];
    const evidence = new Set(
      item.answer_session_ids.filter((id) => sessions.includes(id)).map((id) => `${item.question_id}/${id}`),
    );
    if (evidence.size === 0 || item.question_id.endsWith("_abs")) return [];
    const said = item.haystack_sessions.flatMap((messages, session) => {
      const at = timeOf(item.haystack_dates[session] ?? "");
      const conversation = `${item.question_id}/${sessions[session] ?? session}`;
      return messages.map(({ role, content }, index) => ({
        conversation,
        turn: `${conversation}/${index}`,
        at,
        messages: [{ id: `${conversation}/${index}`, role, content, createdAt: at }],
      }));
    });
    return [
      {
        id: item.question_id,
        isTuning: false,
        said: joinTurns(said),
        questions: [{ text: item.question, category: item.question_type, evidence }],
      },
    ];
  });
  return { file, stories };
}

/** An answer belongs to the turn that asks. */
function joinTurns(said: Story["said"]): Story["said"] {
  const joined: { conversation: string; turn: string; at: string; messages: Story["said"][number]["messages"] }[] = [];
  for (const next of said) {
    const last = joined.at(-1);
    const [message] = next.messages;
    if (last !== undefined && last.conversation === next.conversation && message?.role === "assistant") {
      last.messages.push(message);
    } else joined.push({ ...next, messages: [...next.messages] });
  }
  return joined;
}
