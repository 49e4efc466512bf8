import { z } from "zod";

/** A line as `--replay` reads it. */
export interface ConvertedLine {
  role: "user" | "assistant";
  content: string;
  time: string;
  conversation: string;
  subject: string;
}

const exchange = z.object({ query: z.string(), response: z.string() });

/** MemoryBank's file: people by name, each with exchanges by day. */
export const memoryBankSchema = z.record(
  z.string().min(1),
  z.looseObject({ history: z.record(z.iso.date(), z.array(exchange)) }),
);

const MINUTE_MS = 60_000;

/**
 * One conversation per person and day. The data has days and no times of day: each day's messages start at nine, a
 * minute apart. Empty answers are left out. Pure.
 */
export function convertMemoryBank(people: z.output<typeof memoryBankSchema>): ConvertedLine[] {
  const lines: ConvertedLine[] = [];
  for (const [subject, { history }] of Object.entries(people)) {
    for (const [day, exchanges] of Object.entries(history).sort(([a], [b]) => (a < b ? -1 : 1))) {
      const nine = Date.parse(`${day}T09:00:00Z`);
      const said = exchanges.flatMap(({ query, response }) => [
        { role: "user" as const, content: query },
        { role: "assistant" as const, content: response },
      ]);
      said.forEach(({ role, content }, index) => {
        if (content.trim() === "") return;
        const time = new Date(nine + index * MINUTE_MS).toISOString();
        lines.push({ role, content, time, conversation: `${subject}/${day}`, subject });
      });
    }
  }
  return lines;
}
