import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import type { Contender } from "./contender.ts";
import { conversationId, factOf, subjectId, summaryText, textSource, type Workload } from "./workload.ts";

const TIME = "2026-01-01T00:00:00.000Z";

/** The floor's file, built once. */
export function floorFile(workload: Workload): string {
  const own = ["bench/src/turn/floor.ts", "bench/src/turn/workload.ts"];
  const path = join(cacheFolder(), `floor-${fingerprint(own, workload.messages, workload.seed)}.db`);
  if (existsSync(path)) return path;
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  const db = new DatabaseSync(draft);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE message (id INTEGER PRIMARY KEY, conversation TEXT NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL);
    CREATE UNIQUE INDEX message_by_seq ON message (conversation, seq);
    CREATE TABLE fact (owner TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (owner, key)) WITHOUT ROWID;
    CREATE TABLE summary (conversation TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
    BEGIN`);
  const addMessage = db.prepare("INSERT INTO message (conversation, seq, body) VALUES (?, ?, ?)");
  const addFact = db.prepare("INSERT INTO fact (owner, key, body) VALUES (?, ?, ?)");
  const addSummary = db.prepare("INSERT INTO summary (conversation, body) VALUES (?, ?)");
  const text = textSource(workload.seed);
  // Conversations grow side by side, as they do where many people talk to one agent.
  for (let seq = 0; seq < workload.threadMessages; seq++) {
    for (let index = 0; index < workload.conversations; index++) {
      addMessage.run(conversationId(index), seq, messageBody(seq % 2 === 0 ? "user" : "assistant", text()));
    }
  }
  for (let subject = 0; subject < workload.subjects; subject++) {
    for (let index = 0; index < workload.facts; index++) {
      const fact = factOf(index);
      addFact.run(
        subjectId(workload, subject),
        fact.key,
        JSON.stringify({ ...fact, createdAt: TIME, updatedAt: TIME }),
      );
    }
  }
  for (let index = 0; index < workload.conversations; index++) {
    addSummary.run(conversationId(index), JSON.stringify({ text: summaryText(index), createdAt: TIME }));
  }
  db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  renameSync(draft, path);
  return path;
}

/** A message as the floors keep it. */
export function messageBody(role: string, text: string): string {
  return JSON.stringify({ id: crypto.randomUUID(), role, createdAt: TIME, parts: [{ type: "text", text }] });
}

/** Four prepared statements of `node:sqlite` that do the same work and nothing else. */
export function floor(path: string, workload: Workload, options: { cacheBytes: number }): Contender {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${options.cacheBytes / 1024}`);
  const last20 = db.prepare("SELECT body FROM message WHERE conversation = ? ORDER BY seq DESC LIMIT 20");
  const facts = db.prepare("SELECT body FROM fact WHERE owner = ? LIMIT 12");
  const summary = db.prepare("SELECT body FROM summary WHERE conversation = ?");
  const insert = db.prepare("INSERT INTO message (conversation, seq, body) VALUES (?, ?, ?), (?, ?, ?)");
  const text = textSource(workload.seed + 1);
  const next = new Array<number>(workload.conversations).fill(workload.threadMessages);
  return {
    name: "floor: 4 prepared statements of node:sqlite",
    read(conversation) {
      const id = conversationId(conversation);
      const messages = last20.all(id).map((row) => JSON.parse(String(row.body)) as unknown);
      for (const row of facts.all(subjectId(workload, conversation))) JSON.parse(String(row.body));
      JSON.parse(String(summary.get(id)?.body));
      return messages.length;
    },
    write(conversation) {
      const id = conversationId(conversation);
      const seq = next[conversation] ?? 0;
      next[conversation] = seq + 2;
      insert.run(id, seq, messageBody("user", text()), id, seq + 1, messageBody("assistant", text()));
    },
    close: () => db.close(),
  };
}
