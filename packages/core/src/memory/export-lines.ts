import type { SubjectExport } from "../contract/subject-export.ts";

/** An export as JSON lines: a head, then one line per conversation, fact and record. */
export function* exportLines(data: SubjectExport): Generator<string> {
  const { conversations, facts, records, ...head } = data;
  yield JSON.stringify({ kind: "subject", ...head });
  for (const conversation of conversations) yield JSON.stringify({ kind: "conversation", ...conversation });
  for (const fact of facts) yield JSON.stringify({ kind: "fact", ...fact });
  for (const record of records) yield JSON.stringify({ kind: "record", ...record });
}
