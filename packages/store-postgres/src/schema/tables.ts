import { CHECKPOINT_TENANT_TABLES } from "./checkpoint-tables.ts";

/** A text that compares by its bytes, whatever the database's locale. */
const TEXT = 'text COLLATE "C"';

/**
 * Version 1. The tenant comes first in every key, so that an engine that spreads tables over machines can spread these by
 * tenant; nothing is numbered by a sequence. Times are ISO 8601 texts, as the contract compares them.
 */
export const TABLES: readonly string[] = [
  `CREATE TABLE #conversation (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, id ${TEXT} NOT NULL,
    subject ${TEXT}, login text, extra text,
    created_at ${TEXT} NOT NULL, updated_at ${TEXT} NOT NULL,
    last_seq integer NOT NULL DEFAULT 0, turns integer NOT NULL DEFAULT 0, messages integer NOT NULL DEFAULT 0,
    cleared_through integer NOT NULL DEFAULT 0, settled_seq integer NOT NULL DEFAULT 0,
    indexed_seq integer NOT NULL DEFAULT 0, watermarks text,
    version integer NOT NULL DEFAULT 1, summary integer NOT NULL DEFAULT 0, summaries integer NOT NULL DEFAULT 0,
    refuse_through ${TEXT}, lease_holder text, lease_until ${TEXT},
    PRIMARY KEY (tenant, agent, id)
  ) WITH (fillfactor = 80)`,
  "CREATE INDEX conversation_by_activity ON #conversation (tenant, agent, updated_at DESC, id)",
  "CREATE INDEX conversation_by_subject ON #conversation (tenant, agent, subject, updated_at DESC, id)",
  `CREATE INDEX conversation_due ON #conversation (tenant, agent, updated_at, id) WHERE settled_seq < last_seq`,
  `CREATE INDEX conversation_behind ON #conversation (tenant, agent, subject) WHERE indexed_seq < last_seq`,

  `CREATE TABLE #turn (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, conversation ${TEXT} NOT NULL, seq integer NOT NULL,
    id ${TEXT} NOT NULL, subject ${TEXT}, body text NOT NULL, size integer NOT NULL,
    counted integer NOT NULL, tokens integer NOT NULL, hidden boolean NOT NULL DEFAULT false, replaced_by text,
    rewritten boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, agent, conversation, seq),
    CONSTRAINT turn_id UNIQUE (tenant, agent, conversation, id)
  )`,
  // Messages of visible turns only.
  `CREATE TABLE #message (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, conversation ${TEXT} NOT NULL, id ${TEXT} NOT NULL,
    seq integer NOT NULL,
    PRIMARY KEY (tenant, agent, conversation, id, seq)
  )`,
  // Which conversations hold turns of a subject that they aren't bound to.
  `CREATE TABLE #former_subject (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, subject ${TEXT} NOT NULL, conversation ${TEXT} NOT NULL,
    PRIMARY KEY (tenant, agent, subject, conversation)
  )`,
  "CREATE INDEX former_subject_by_conversation ON #former_subject (tenant, agent, conversation)",
  `CREATE TABLE #summary (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, conversation ${TEXT} NOT NULL, version integer NOT NULL,
    body text NOT NULL, through integer NOT NULL, through_turn text NOT NULL, turns integer NOT NULL,
    tokens integer NOT NULL, created_at text NOT NULL, deleted_at text,
    PRIMARY KEY (tenant, agent, conversation, version)
  )`,

  // Facts that all agents of a tenant share stand under the agent ''.
  `CREATE TABLE #fact_owner (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, scope ${TEXT} NOT NULL, id ${TEXT} NOT NULL,
    version integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, agent, scope, id)
  )`,
  `CREATE TABLE #fact (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, scope ${TEXT} NOT NULL, owner ${TEXT} NOT NULL,
    id ${TEXT} NOT NULL, key text COLLATE "C", type text NOT NULL, tags text[] NOT NULL,
    updated_at ${TEXT} NOT NULL, expires_at ${TEXT}, valid_from ${TEXT} NOT NULL, valid_to ${TEXT}, body text NOT NULL,
    PRIMARY KEY (tenant, agent, scope, owner, id)
  )`,
  `CREATE INDEX fact_live ON #fact (tenant, agent, scope, owner, updated_at DESC, id) WHERE valid_to IS NULL`,
  `CREATE INDEX fact_expiry ON #fact (tenant, agent, expires_at) WHERE expires_at IS NOT NULL`,
  `CREATE TABLE #tombstone (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, scope ${TEXT} NOT NULL, owner ${TEXT} NOT NULL, hash ${TEXT} NOT NULL,
    PRIMARY KEY (tenant, agent, scope, owner, hash)
  )`,
  `CREATE TABLE #operation (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, scope ${TEXT} NOT NULL, owner ${TEXT} NOT NULL, key ${TEXT} NOT NULL,
    at ${TEXT} NOT NULL, result text NOT NULL,
    PRIMARY KEY (tenant, agent, scope, owner, key)
  )`,
  "CREATE INDEX operation_by_age ON #operation (tenant, agent, at)",

  // Keys are bytes in the order of UTF-16 code units.
  `CREATE TABLE #record (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, namespace bytea NOT NULL, key bytea NOT NULL,
    version integer NOT NULL, created_at ${TEXT} NOT NULL, updated_at ${TEXT} NOT NULL, expires_at ${TEXT},
    subject ${TEXT}, value text NOT NULL,
    PRIMARY KEY (tenant, agent, namespace, key)
  )`,
  "CREATE INDEX record_by_subject ON #record (tenant, agent, subject) WHERE subject IS NOT NULL",
  "CREATE INDEX record_expiry ON #record (tenant, agent, expires_at) WHERE expires_at IS NOT NULL",
  `CREATE TABLE #item (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, conversation ${TEXT} NOT NULL, key bytea NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (tenant, agent, conversation, key)
  )`,
  `CREATE TABLE #lease (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, name ${TEXT} NOT NULL, holder text NOT NULL, until ${TEXT} NOT NULL,
    PRIMARY KEY (tenant, agent, name)
  )`,
  `CREATE TABLE #identity (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, identity ${TEXT} NOT NULL, subject ${TEXT} NOT NULL,
    since text NOT NULL,
    PRIMARY KEY (tenant, agent, identity)
  )`,
  "CREATE INDEX identity_by_subject ON #identity (tenant, agent, subject)",

  // When something was erased, under a hash of its name. An empty time: never, the row is there to be locked.
  `CREATE TABLE #erasure (
    tenant ${TEXT} NOT NULL, mark bytea NOT NULL, at ${TEXT} NOT NULL,
    PRIMARY KEY (tenant, mark)
  )`,

  `CREATE TABLE #document (
    tenant ${TEXT} NOT NULL, document bigint NOT NULL, agent ${TEXT} NOT NULL, subject ${TEXT},
    conversation ${TEXT} NOT NULL, seq integer NOT NULL, position integer NOT NULL, message text NOT NULL,
    role text NOT NULL, tool boolean NOT NULL, length integer NOT NULL, created_at ${TEXT} NOT NULL,
    filed boolean NOT NULL, bucket bigint NOT NULL, terms bigint[] NOT NULL, place bigint NOT NULL,
    PRIMARY KEY (tenant, document)
  )`,
  "CREATE INDEX document_by_turn ON #document (tenant, agent, conversation, seq)",
  "CREATE INDEX document_by_subject ON #document (tenant, agent, subject) INCLUDE (tool, filed, length, bucket)",
  // A bucket is a subject, or a conversation of nobody; terms are hashed. What a search asks of every posting is beside it, and
  // isn't looked up in its document; `number` is the conversation's.
  `CREATE TABLE #posting (
    tenant ${TEXT} NOT NULL, bucket bigint NOT NULL, term bigint NOT NULL, document bigint NOT NULL,
    place bigint NOT NULL, number bigint NOT NULL, frequency integer NOT NULL, length integer NOT NULL,
    seq integer NOT NULL, tool boolean NOT NULL,
    PRIMARY KEY (tenant, bucket, term, document)
  )`,
  // Vectors of messages. Migrating has pgvector keep them where the database has it (see use-pgvector.ts). Whoever writes a
  // row gives it another stamp, which tells what is new (see stamp.ts and near-functions.ts).
  `CREATE TABLE #vector (
    tenant ${TEXT} NOT NULL, agent ${TEXT} NOT NULL, conversation ${TEXT} NOT NULL, seq integer NOT NULL,
    message ${TEXT} NOT NULL, model bigint NOT NULL, turn ${TEXT} NOT NULL, position integer NOT NULL, role text NOT NULL,
    subject ${TEXT}, created_at ${TEXT} NOT NULL, filed boolean NOT NULL, stamp bigint NOT NULL, v bytea NOT NULL,
    PRIMARY KEY (tenant, agent, conversation, seq, message, model)
  )`,
  "CREATE INDEX vector_by_subject ON #vector (tenant, agent, subject, model, stamp) WHERE filed",
];

/** Tables that row-level security is forced on: all that hold a tenant's rows. */
export const TENANT_TABLES: readonly string[] = [
  "conversation",
  "turn",
  "message",
  "former_subject",
  "summary",
  "fact_owner",
  "fact",
  "tombstone",
  "operation",
  "record",
  "item",
  "lease",
  "identity",
  "erasure",
  "document",
  "posting",
  ...CHECKPOINT_TENANT_TABLES,
  "vector",
];

/** Tables that grow with what is said and kept: those that are cut into partitions where that is asked for. */
export const PARTITIONED_TABLES: readonly string[] = [
  "turn",
  "message",
  "document",
  "posting",
  "record",
  "item",
  "checkpoint",
  "checkpoint_element",
  "checkpoint_write",
];
