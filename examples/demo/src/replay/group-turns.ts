import { createHash } from "node:crypto";
import type { MessageInput } from "@throughline/core";
import type { TranscriptLine } from "./read-transcript.ts";

/** One turn of a transcript: what a person said and what was answered. */
export interface TranscriptTurn {
  /** The same turn of the same transcript has the same id, so that a second replay stores nothing twice. */
  id: string;
  conversation: string;
  subject?: string;
  messages: MessageInput[];
  startedAt: string;
  endedAt: string;
}

/** Puts lines together to turns: one begins where a person speaks after an answer. Pure. */
export function groupTurns(
  lines: readonly TranscriptLine[],
  fallback: { conversation: string; subject?: string },
): TranscriptTurn[] {
  const groups: TranscriptLine[][] = [];
  const open = new Map<string, TranscriptLine[]>();
  for (const line of lines) {
    const conversation = line.conversation ?? fallback.conversation;
    const group = open.get(conversation);
    if (group === undefined || (line.role === "user" && group.at(-1)?.role === "assistant")) {
      const started = [line];
      open.set(conversation, started);
      groups.push(started);
    } else group.push(line);
  }
  const count = new Map<string, number>();
  return groups.map((group) => {
    const first = group[0] as TranscriptLine;
    const conversation = first.conversation ?? fallback.conversation;
    const position = (count.get(conversation) ?? 0) + 1;
    count.set(conversation, position);
    const subject = first.subject ?? fallback.subject;
    return {
      id: turnId(position, group),
      conversation,
      ...(subject === undefined ? {} : { subject }),
      messages: group.map(({ role, content, time }) => ({ role, content, createdAt: time })),
      startedAt: first.time,
      endedAt: (group.at(-1) as TranscriptLine).time,
    };
  });
}

function turnId(position: number, group: readonly TranscriptLine[]): string {
  const hash = createHash("sha256");
  for (const { role, content, time } of group) hash.update(JSON.stringify([role, content, time]));
  return `replay-${position}-${hash.digest("hex").slice(0, 16)}`;
}
