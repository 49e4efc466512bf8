import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import { corpusTexts } from "./corpus.ts";

export const AGENT = "bench";
/** Messages of an ordinary subject, and of a conversation. */
export const OF_SUBJECT = 1_000;
const OF_CONVERSATION = 100;

/** How much is in a file. */
export interface KeywordCorpus {
  seed: number;
  messages: number;
  /** Messages of one subject that has more than the others. */
  heavy: number;
}

export const ordinarySubjects = ({ messages, heavy }: KeywordCorpus): number =>
  Math.floor((messages - heavy) / OF_SUBJECT);
export const subjectName = (index: number): string => `subject${index}`;
export const HEAVY = "subjectheavy";

/** Sources that say what the file holds. */
const FORMAT = [
  "packages/store-sqlite/src/migrations.ts",
  "packages/store-sqlite/src/keyword/posting-blocks.ts",
  "packages/core/src/search/keyword-documents.ts",
  "packages/core/src/search/terms.ts",
  "bench/src/search/corpus.ts",
  "bench/src/search/keyword-files.ts",
];

/** Each subject with how many conversations of {@link OF_CONVERSATION} messages it has. */
function* ownersOf(corpus: KeywordCorpus): Generator<{ subject: string; conversations: number }> {
  for (let index = 0; index < ordinarySubjects(corpus); index++) {
    yield { subject: subjectName(index), conversations: OF_SUBJECT / OF_CONVERSATION };
  }
  yield { subject: HEAVY, conversations: corpus.heavy / OF_CONVERSATION };
}

/** A file of the memory, all of it indexed; kept between runs. */
export async function keywordFile(corpus: KeywordCorpus): Promise<string> {
  const name = fingerprint(FORMAT, corpus.messages, corpus.heavy, corpus.seed);
  return made(`keyword-${name}.db`, async (path) => {
    const store = sqliteStore({ path, cacheBytes: 256 * 1024 * 1024 });
    const text = corpusTexts(corpus.seed);
    let time = Date.parse("2026-01-01T00:00:00.000Z");
    for (const { subject, conversations } of ownersOf(corpus)) {
      for (let index = 0; index < conversations; index++) {
        const owner = { tenant: "default", agent: AGENT, conversation: `${subject}-${index}` };
        for (let turn = 0; turn < OF_CONVERSATION / 2; turn++) {
          time += 1_000;
          const now = new Date(time).toISOString();
          const messages = (["user", "assistant"] as const).map((role) => ({
            id: `${turn}-${role}`,
            role,
            parts: [{ type: "text" as const, text: text() }],
            createdAt: now,
            origin: role,
          }));
          const row = { id: `${turn}`, status: "completed" as const, startedAt: now, counted: 2, tokens: 40, messages };
          await store.commitTurn(owner, { turn: row, subject, now });
        }
      }
    }
    const memory = createMemory({ agent: AGENT, store, env: {} });
    while ((await memory.sweep({ limit: 500 })).conversations > 0);
    await memory.close();
  });
}

/** The same texts in FTS5, the subject in a column of its own: the usual way to keep subjects apart. */
export async function ftsFile(corpus: KeywordCorpus): Promise<string> {
  const name = fingerprint(FORMAT.slice(-2), corpus.messages, corpus.heavy, corpus.seed);
  return made(`fts5-${name}.db`, async (path) => {
    const database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("CREATE VIRTUAL TABLE f USING fts5(subject, text, content='', tokenize='porter unicode61')");
    const insert = database.prepare("INSERT INTO f (rowid, subject, text) VALUES (?, ?, ?)");
    const text = corpusTexts(corpus.seed);
    let row = 0;
    for (const { subject, conversations } of ownersOf(corpus)) {
      database.exec("BEGIN");
      for (let message = 0; message < conversations * OF_CONVERSATION; message++) insert.run(++row, subject, text());
      database.exec("COMMIT");
    }
    database.exec("INSERT INTO f (f) VALUES ('optimize')");
    database.close();
  });
}

async function made(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(cacheFolder(), name);
  if (existsSync(path)) return path;
  const draft = `${path}.draft`;
  for (const end of ["", "-wal", "-shm", ".secret"]) rmSync(`${draft}${end}`, { force: true });
  await make(draft);
  renameSync(draft, path);
  if (existsSync(`${draft}.secret`)) renameSync(`${draft}.secret`, `${path}.secret`);
  return path;
}
