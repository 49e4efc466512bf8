import pg from "pg";
import { withClient } from "../lib/postgres-server.ts";
import type { Contender } from "../turn/contender.ts";
import { messageBody } from "../turn/floor.ts";
import { conversationId, factOf, subjectId, summaryText, textSource, type Workload } from "../turn/workload.ts";

const TIME = "2026-01-01T00:00:00.000Z";
/** Conversations of different texts; the server copies them. */
const TEMPLATES = 20;

/** Tables of the least that a turn needs, filled. */
export async function fillFloor(url: string, workload: Workload): Promise<void> {
  const { conversations, subjects, threadMessages } = workload;
  const text = textSource(workload.seed);
  const bodies = Array.from({ length: TEMPLATES * threadMessages }, (_, index) =>
    messageBody(index % 2 === 0 ? "user" : "assistant", text()),
  );
  const summaries = Array.from({ length: TEMPLATES }, (_, index) =>
    JSON.stringify({ text: summaryText(index), createdAt: TIME }),
  );
  const facts = Array.from({ length: workload.facts }, (_, index) =>
    JSON.stringify({ ...factOf(index), createdAt: TIME, updatedAt: TIME }),
  );
  await withClient(url, async (client) => {
    await client.query(`DROP SCHEMA IF EXISTS floor CASCADE; CREATE SCHEMA floor;
      CREATE TABLE floor.message (conversation text COLLATE "C" NOT NULL, seq integer NOT NULL, body text NOT NULL,
        PRIMARY KEY (conversation, seq));
      CREATE TABLE floor.fact (owner text COLLATE "C" NOT NULL, key integer NOT NULL, body text NOT NULL,
        PRIMARY KEY (owner, key));
      CREATE TABLE floor.summary (conversation text COLLATE "C" PRIMARY KEY, body text NOT NULL)`);
    // Conversations grow side by side, as they do where many people talk to one agent.
    await client.query(
      `INSERT INTO floor.message SELECT 'conversation-' || c, s, ($1::text[])[c % ${TEMPLATES} * $3::int + s + 1]
        FROM generate_series(0, $3::int - 1) s, generate_series(0, $2::int - 1) c ORDER BY s, c`,
      [bodies, conversations, threadMessages],
    );
    await client.query(
      `INSERT INTO floor.fact SELECT 'subject-' || s, f.key, f.body
        FROM generate_series(0, $2::int - 1) s, unnest($1::text[]) WITH ORDINALITY f (body, key)`,
      [facts, subjects],
    );
    await client.query(
      `INSERT INTO floor.summary SELECT 'conversation-' || c, ($1::text[])[c % ${TEMPLATES} + 1]
        FROM generate_series(0, $2::int - 1) c`,
      [summaries, conversations],
    );
    for (const table of ["message", "fact", "summary"]) await client.query(`VACUUM ANALYZE floor.${table}`);
  });
}

const READ = `SELECT
  (SELECT '[' || string_agg(m.body, ',') || ']' FROM
    (SELECT body FROM floor.message WHERE conversation = $1 ORDER BY seq DESC LIMIT 20) m) AS messages,
  (SELECT '[' || string_agg(f.body, ',') || ']' FROM (SELECT body FROM floor.fact WHERE owner = $2 LIMIT 12) f) AS facts,
  (SELECT body FROM floor.summary WHERE conversation = $1) AS summary`;
const WRITE = "INSERT INTO floor.message (conversation, seq, body) VALUES ($1, $2, $3), ($1, $4, $5)";

/** One prepared read of everything and one prepared write, and nothing else. */
export function floor(url: string, workload: Workload, connections: number): Contender {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  // A connection on its way out may still hear that the server ends.
  pool.on("error", () => undefined);
  const text = textSource(workload.seed + 1);
  const next = new Map<number, number>();
  return {
    name: "floor: one read and one write, prepared, through pg",
    async read(conversation) {
      const values = [conversationId(conversation), subjectId(workload, conversation)];
      const { rows } = await pool.query({ name: "read", text: READ, values });
      const messages: unknown[] = JSON.parse(rows[0].messages);
      JSON.parse(rows[0].facts);
      JSON.parse(rows[0].summary);
      return messages.length;
    },
    async write(conversation) {
      const seq = next.get(conversation) ?? workload.threadMessages;
      next.set(conversation, seq + 2);
      const [question, answer] = [messageBody("user", text()), messageBody("assistant", text())];
      const values = [conversationId(conversation), seq, question, seq + 1, answer];
      await pool.query({ name: "write", text: WRITE, values });
    },
    close: () => pool.end(),
  };
}
