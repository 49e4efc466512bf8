/** A text that compares by its bytes, whatever the database's locale. */
const TEXT = 'text COLLATE "C"';

/**
 * Version 1 of what hosts keep of their runs. A conversation's checkpoints stand under a number that is drawn anew when they
 * begin anew; nothing late can meet what follows.
 */
export const CHECKPOINT_TABLES: readonly string[] = [
  // `edition` counts removals of elements: ranges of an earlier one are refused.
  `CREATE TABLE #checkpoint_thread (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, conversation ${TEXT} NOT NULL, thread bigint NOT NULL,
    edition integer NOT NULL DEFAULT 0, subject ${TEXT}, login text, created_at ${TEXT} NOT NULL, updated_at ${TEXT} NOT NULL,
    PRIMARY KEY (tenant, agent, conversation),
    CONSTRAINT checkpoint_thread_number UNIQUE (tenant, thread)
  ) WITH (fillfactor = 50)`,
  // Everybody who ever wrote a checkpoint of a conversation.
  `CREATE TABLE #checkpoint_subject (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, subject ${TEXT} NOT NULL, conversation ${TEXT} NOT NULL,
    PRIMARY KEY (tenant, agent, subject, conversation)
  )`,
  "CREATE INDEX checkpoint_subject_by_conversation ON #checkpoint_subject (tenant, agent, conversation)",
  // Values by their place: a name, and a text or nothing. Lists stand in `runs`: place, first number, count, and so on.
  `CREATE TABLE #checkpoint (
    tenant ${TEXT} NOT NULL, thread bigint NOT NULL, space ${TEXT} NOT NULL, id ${TEXT} NOT NULL, parent ${TEXT},
    at ${TEXT} NOT NULL, names text[] NOT NULL, inlines text[] NOT NULL, runs integer[] NOT NULL, tags text[] NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (tenant, thread, space, id)
  )`,
  `CREATE TABLE #checkpoint_element (
    tenant ${TEXT} NOT NULL, thread bigint NOT NULL, name ${TEXT} NOT NULL, number integer NOT NULL, hash bytea NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (tenant, thread, name, number)
  )`,
  "CREATE INDEX checkpoint_element_by_hash ON #checkpoint_element (tenant, thread, name, hash)",
  `CREATE TABLE #checkpoint_write (
    tenant ${TEXT} NOT NULL, thread bigint NOT NULL, space ${TEXT} NOT NULL, checkpoint ${TEXT} NOT NULL,
    task ${TEXT} NOT NULL, idx integer NOT NULL, path text NOT NULL, name ${TEXT} NOT NULL, data text NOT NULL,
    PRIMARY KEY (tenant, thread, space, checkpoint, task, idx)
  )`,
];

/** Those that hold a tenant's rows. */
export const CHECKPOINT_TENANT_TABLES: readonly string[] = [
  "checkpoint_thread",
  "checkpoint_subject",
  "checkpoint",
  "checkpoint_element",
  "checkpoint_write",
];
