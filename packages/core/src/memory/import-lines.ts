import { MemoryError } from "../errors/memory-error.ts";

/** An export as an object, or its lines as `exportLines` writes them. */
export type ImportSource<Data> = Data | Iterable<string> | AsyncIterable<string>;

const isLines = (data: object): data is Iterable<unknown> | AsyncIterable<unknown> =>
  Symbol.iterator in data || Symbol.asyncIterator in data;

/** Puts lines back together to what they were written from; anything else comes back as it is. */
export async function gatherLines(data: unknown): Promise<unknown> {
  if (typeof data !== "object" || data === null || !isLines(data)) return data;
  let head: object = {};
  const conversations: unknown[] = [];
  const facts: unknown[] = [];
  const records: unknown[] = [];
  let number = 0;
  for await (const line of data) {
    number++;
    if (typeof line === "string" && line.trim() === "") continue;
    const { kind, ...rest } = readLine(line, number);
    if (kind === "subject") head = rest;
    else if (kind === "conversation") conversations.push(rest);
    else if (kind === "fact") facts.push(rest);
    else if (kind === "record") records.push(rest);
    else throw malformed(number);
  }
  return { ...head, conversations, facts, records };
}

function readLine(line: unknown, number: number): { kind?: unknown } {
  try {
    const value: unknown = JSON.parse(String(line));
    if (typeof value === "object" && value !== null) return value;
  } catch (cause) {
    throw malformed(number, cause);
  }
  throw malformed(number);
}

const malformed = (number: number, cause?: unknown): MemoryError =>
  new MemoryError("INVALID_ARGUMENT", `Line ${number} is no line of a subject export.`, { cause });
