/** The index is emptied, and built anew as it is due. */
const EMPTY_INDEX = `
  INSERT OR IGNORE INTO free_slot (capacity, ref)
    SELECT CASE WHEN octet_length(h.data) > 4000 THEN 480 ELSE octet_length(h.data) END, h.ref
    FROM document d JOIN heap h ON h.ref = d.terms;
  UPDATE heap SET data = zeroblob(CASE WHEN octet_length(data) > 4000 THEN 480 ELSE octet_length(data) END)
    WHERE ref IN (SELECT terms FROM document);
  DELETE FROM posting;
  DELETE FROM document;
  UPDATE bucket SET ordinal = 0, said_documents = 0, said_length = 0, tool_documents = 0, tool_length = 0;
  UPDATE conversation SET indexed_seq = 0;
  `;

/**
 * Append-only: a migration that was released is never edited. The database's `user_version` is how many have run.
 *
 * How the tables are laid out:
 *
 * - Texts (messages, facts, summaries, records, items, terms, checkpoints) and vectors are rows of `heap` and of nothing else. Its rows are only
 *   ever appended or overwritten in place, so SQLite never moves one to another page. That is what lets an erasure
 *   reach every byte: `secure_delete` clears what is deleted, and not what a page split left behind.
 * - Everything else holds numbers, times and ids. Ids of turns and messages, keys of facts and terms stand there as
 *   hashes; where equality matters the text is compared.
 * - `conversation.is_open` says that derived work is due or the index is behind: listings merge the open ones and the others,
 *   so that one index serves both and a turn moves one entry of it.
 * - Half of all pending writes say `null`, and have no text in the heap.
 * - An element of a checkpoint's lists has its list's number and its own in one key, so that a run of them is one range.
 * - What was indexed last of a bucket has its terms in one row of `recent_terms`, as hashes; only from there they become postings.
 * - A turn's key is its conversation's number and its sequence number in one integer, so that a window is one range.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE heap (ref INTEGER PRIMARY KEY, data ANY NOT NULL) STRICT;
  CREATE TABLE free_slot (capacity INTEGER NOT NULL, ref INTEGER NOT NULL, PRIMARY KEY (capacity, ref)) STRICT, WITHOUT ROWID;
  CREATE TABLE setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE agent (ref INTEGER PRIMARY KEY, tenant TEXT NOT NULL, agent TEXT NOT NULL, UNIQUE (tenant, agent)) STRICT;
  CREATE TABLE owner (ref INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, version INTEGER NOT NULL) STRICT;

  CREATE TABLE bucket (
    ref INTEGER PRIMARY KEY AUTOINCREMENT, agent INTEGER NOT NULL, subject TEXT, conversation INTEGER,
    secret INTEGER, ordinal INTEGER NOT NULL DEFAULT 0,
    said_documents INTEGER NOT NULL DEFAULT 0, said_length INTEGER NOT NULL DEFAULT 0,
    tool_documents INTEGER NOT NULL DEFAULT 0, tool_length INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX bucket_by_subject ON bucket (agent, subject) WHERE subject IS NOT NULL;
  CREATE UNIQUE INDEX bucket_by_conversation ON bucket (conversation) WHERE conversation IS NOT NULL;

  CREATE TABLE conversation (
    ref INTEGER PRIMARY KEY AUTOINCREMENT, agent INTEGER NOT NULL, id TEXT NOT NULL,
    subject INTEGER, login TEXT, extra INTEGER, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    last_seq INTEGER NOT NULL, turns INTEGER NOT NULL, messages INTEGER NOT NULL,
    cleared_through INTEGER NOT NULL, settled_seq INTEGER NOT NULL, indexed_seq INTEGER NOT NULL,
    watermarks TEXT, version INTEGER NOT NULL, summary INTEGER NOT NULL, summaries INTEGER NOT NULL,
    refuse_through TEXT,
    lease_holder TEXT, lease_until TEXT,
    is_open INTEGER NOT NULL AS (settled_seq < last_seq OR indexed_seq < last_seq) VIRTUAL
  ) STRICT;
  CREATE UNIQUE INDEX conversation_by_id ON conversation (agent, id);
  CREATE INDEX conversation_recent ON conversation (agent, is_open, updated_at DESC, id);
  CREATE INDEX conversation_of_subject ON conversation (subject, updated_at DESC, id, indexed_seq, last_seq)
    WHERE subject IS NOT NULL;
  CREATE TABLE former_subject (
    subject INTEGER NOT NULL, conversation INTEGER NOT NULL, PRIMARY KEY (subject, conversation)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX former_subject_by_conversation ON former_subject (conversation);

  CREATE TABLE turn (
    key INTEGER PRIMARY KEY, body INTEGER NOT NULL, counted INTEGER NOT NULL, tokens INTEGER NOT NULL,
    subject INTEGER, hidden INTEGER NOT NULL, replaced_by INTEGER
  ) STRICT;
  CREATE TABLE identity (
    conversation INTEGER NOT NULL, hash INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (conversation, hash, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE summary (
    conversation INTEGER NOT NULL, version INTEGER NOT NULL, through INTEGER NOT NULL, turns INTEGER NOT NULL,
    tokens INTEGER NOT NULL, created_at TEXT NOT NULL, deleted_at TEXT, body INTEGER NOT NULL,
    PRIMARY KEY (conversation, version)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE fact (
    ref INTEGER PRIMARY KEY, agent INTEGER NOT NULL, owner INTEGER NOT NULL, id TEXT NOT NULL, key_hash INTEGER,
    type TEXT NOT NULL, updated_at TEXT NOT NULL, expires_at TEXT, valid_from TEXT NOT NULL, valid_to TEXT, body INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX fact_by_id ON fact (owner, id);
  CREATE INDEX fact_live ON fact (owner, updated_at DESC, id, expires_at, body) WHERE valid_to IS NULL;
  CREATE INDEX fact_by_key ON fact (owner, key_hash) WHERE key_hash IS NOT NULL;
  CREATE INDEX fact_expiring ON fact (agent, expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE tombstone (owner INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (owner, hash)) STRICT, WITHOUT ROWID;
  CREATE TABLE operation (
    owner INTEGER NOT NULL, key TEXT NOT NULL, agent INTEGER NOT NULL, at TEXT NOT NULL, result INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX operation_by_time ON operation (agent, at);

  CREATE TABLE record (
    agent INTEGER NOT NULL, namespace BLOB NOT NULL, key BLOB NOT NULL, version INTEGER NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, expires_at TEXT, subject TEXT, body INTEGER NOT NULL,
    PRIMARY KEY (agent, namespace, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX record_of_subject ON record (agent, subject) WHERE subject IS NOT NULL;
  CREATE INDEX record_expiring ON record (agent, expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE item (
    owner INTEGER NOT NULL, key BLOB NOT NULL, size INTEGER NOT NULL, body INTEGER NOT NULL, PRIMARY KEY (owner, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE subject_identity (
    agent INTEGER NOT NULL, identity TEXT NOT NULL, subject TEXT NOT NULL, since TEXT NOT NULL,
    PRIMARY KEY (agent, identity)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX subject_identity_of_subject ON subject_identity (agent, subject);
  CREATE TABLE lease (
    agent INTEGER NOT NULL, name TEXT NOT NULL, holder TEXT NOT NULL, until TEXT NOT NULL, PRIMARY KEY (agent, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE document (
    ref INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    conversation INTEGER NOT NULL, seq INTEGER NOT NULL, position INTEGER NOT NULL, tool INTEGER NOT NULL,
    role INTEGER NOT NULL, length INTEGER NOT NULL, created_at TEXT NOT NULL, terms INTEGER NOT NULL,
    filed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX document_of_turn ON document (conversation, seq, bucket, tool, length, filed);
  CREATE INDEX document_of_bucket ON document (bucket, created_at);
  CREATE TABLE posting (
    bucket INTEGER NOT NULL, term INTEGER NOT NULL, tool INTEGER NOT NULL, block INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (bucket, term, tool, block)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE thread (
    ref INTEGER PRIMARY KEY AUTOINCREMENT, agent INTEGER NOT NULL, conversation TEXT NOT NULL,
    edition INTEGER NOT NULL DEFAULT 0, pruning INTEGER NOT NULL DEFAULT 0, subject TEXT, login TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX thread_by_conversation ON thread (agent, conversation);
  CREATE TABLE thread_subject (
    agent INTEGER NOT NULL, subject TEXT NOT NULL, thread INTEGER NOT NULL, PRIMARY KEY (agent, subject, thread)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX thread_subject_by_thread ON thread_subject (thread);
  CREATE TABLE checkpoint (
    thread INTEGER NOT NULL, space TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, at TEXT NOT NULL, body INTEGER NOT NULL,
    PRIMARY KEY (thread, space, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE pending_write (
    thread INTEGER NOT NULL, space TEXT NOT NULL, checkpoint TEXT NOT NULL, task TEXT NOT NULL, idx INTEGER NOT NULL,
    path TEXT NOT NULL, name TEXT NOT NULL, body INTEGER,
    PRIMARY KEY (thread, space, checkpoint, task, idx)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE stream (
    ref INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL, name TEXT NOT NULL, last INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX stream_by_name ON stream (thread, name);
  CREATE TABLE element (key INTEGER PRIMARY KEY, body INTEGER NOT NULL, hash INTEGER NOT NULL) STRICT;
  CREATE INDEX element_by_hash ON element (hash);

  CREATE TABLE erasure (mark BLOB PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE doomed (
    ref INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, target INTEGER NOT NULL, since INTEGER NOT NULL
  ) STRICT;
  `,
  // Whoever erases beats, so that nobody else takes its work over. What is marked for the index is found at once.
  `
  CREATE TABLE eraser (ref INTEGER PRIMARY KEY AUTOINCREMENT, beat INTEGER NOT NULL) STRICT;
  ALTER TABLE doomed ADD COLUMN eraser INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX document_pending ON document (bucket, ref) WHERE filed > 1;
  `,
  // Postings say where their documents stand, and terms are stemmed: the index is emptied, and built anew as it is due.
  `
  ${EMPTY_INDEX}
  ALTER TABLE document ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
  `,
  // A bucket's vectors of one model are a set, numbered in it. Floats and ids stand in the heap; runs hold full rows of them
  // as 8-bit numbers.
  `
  CREATE TABLE vector_set (
    ref INTEGER PRIMARY KEY AUTOINCREMENT, bucket INTEGER NOT NULL, model INTEGER NOT NULL, dimensions INTEGER NOT NULL,
    next INTEGER NOT NULL, sealed INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX vector_set_by_model ON vector_set (bucket, model);
  CREATE TABLE vector (
    key INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, seq INTEGER NOT NULL, message INTEGER NOT NULL,
    position INTEGER NOT NULL, role INTEGER NOT NULL, created_at TEXT NOT NULL, hidden INTEGER NOT NULL,
    body INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX vector_of_turn ON vector (conversation, seq, key, message);
  CREATE TABLE vector_run (
    vectors INTEGER NOT NULL, run INTEGER NOT NULL, body INTEGER NOT NULL, PRIMARY KEY (vectors, run)
  ) STRICT, WITHOUT ROWID;
  `,
  // A set's edition is another one as soon as a row of it changed or went, or was taken out of reach with its conversation:
  // what is kept in memory of its rows holds as long as the edition does. By triggers, so that nothing that changes a row can
  // forget it.
  `
  ALTER TABLE vector_set ADD COLUMN edition INTEGER NOT NULL DEFAULT 0;
  CREATE TRIGGER vector_changed AFTER UPDATE ON vector BEGIN
    UPDATE vector_set SET edition = edition + 1 WHERE ref = old.key / 16777216;
  END;
  CREATE TRIGGER vector_gone AFTER DELETE ON vector BEGIN
    UPDATE vector_set SET edition = edition + 1 WHERE ref = old.key / 16777216;
  END;
  CREATE TRIGGER vectors_out_of_reach AFTER DELETE ON conversation BEGIN
    UPDATE vector_set SET edition = edition + 1 WHERE bucket IN (
      SELECT old.subject UNION SELECT subject FROM former_subject WHERE conversation = old.ref
      UNION SELECT ref FROM bucket WHERE conversation = old.ref
    );
  END;
  `,
  // Places say how many pieces of its turn follow a piece.
  EMPTY_INDEX,
  // The terms of documents that were indexed last, one row a bucket: those of many become postings at once.
  `
  CREATE TABLE recent_terms (bucket INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
  `,
  // Work that was settled before the index was emptied is due again: nobody else fills it anew.
  `
  UPDATE conversation SET settled_seq = 0 WHERE indexed_seq < last_seq;
  `,
  // The same tables. From here on a document may have some of its postings only, which a version before this one takes for all.
  "SELECT 1;",
];

/** Written into the file's header ("Thrl"), so that another program's database is never taken for ours. */
export const APPLICATION_ID = 0x5468726c;
