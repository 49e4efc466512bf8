import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import {
  type AgentOwner,
  type CallOptions,
  type ConversationOwner,
  type ConversationRow,
  type Fact,
  type FactOwner,
  type IdentityRow,
  type Json,
  MemoryError,
  type MemoryStore,
  type RecordRow,
  type SummaryRow,
  type TurnRow,
} from "@throughline/core";
import {
  changeTurnRow,
  compareText,
  compareUpdated,
  contextFactOwners,
  cutWindow,
  type HeldLease,
  isAnother,
  isLeaseFree,
  isLiveRecord,
  leaseOf,
  locateMessages,
  matchesFactQuery,
  plainCopy,
  refusalOfFacts,
  refusalOfTurn,
  selectItemKeys,
  selectNamespaces,
  selectRecords,
  settledWork,
} from "@throughline/core/store-kit";

/*
 * A store on one JSON-lines file, for one process. Part 1 is the file: tables of rows in memory, one appended line for each
 * call that changed some. Part 2 is the contract, method by method, over those tables. To put the memory elsewhere, replace
 * part 1 with whatever keeps rows and commits several at once.
 */

// ── Part 1: tables in a file ──────────────────────────────────────────────────────────────────────────────────────────

/** What changed: a row put, or without a value deleted. A line of the file is a list of these, and it counts whole. */
type Change = [table: string, id: string, row?: Json];

/** Keeps books only: an older form of such a row may stay in the file until it is written anew. */
const BOOKS = new Set(["conversation", "lease", "erased"]);

const FORMAT = "throughline-example-jsonl";

class Tables {
  readonly #path: string;
  readonly #token = `${process.pid} ${randomUUID()}`;
  #tables = new Map<string, Map<string, Json>>();
  #file = -1;
  #rows = 0;
  /** Rows in the file that a later line has changed. */
  #stale = 0;
  /** What the running call has changed, with the rows as they were. */
  #changes: { table: string; id: string; before: Json | undefined }[] = [];

  constructor(path: string) {
    this.#path = path;
    this.#lock();
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    // What stands behind the last line break was being written when the process died: it was never acknowledged.
    const torn = lines.pop() ?? "";
    for (const [index, line] of lines.entries()) this.#read(line, index);
    this.#changes = [];
    if (lines.length === 0) this.#rewrite();
    else this.#file = openSync(path, "a");
    if (torn !== "") ftruncateSync(this.#file, Buffer.byteLength(`${lines.join("\n")}\n`));
  }

  /** The rows of a table. Don't change them: put other ones. */
  rows<Row>(table: string): ReadonlyMap<string, Row> {
    // Only this file writes rows, each kind of them into tables of its own.
    return (this.#tables.get(table) ?? new Map()) as ReadonlyMap<string, Row>;
  }

  /** The tables whose names begin with these labels, with the labels. */
  *named(...labels: (string | null)[]): Generator<[table: string, labels: string[]]> {
    for (const table of [...this.#tables.keys()]) {
      const all = JSON.parse(table) as string[];
      if (labels.every((label, index) => all[index] === label)) yield [table, all];
    }
  }

  put(table: string, id: string, row: object | string): void {
    this.#apply(table, id, plainCopy(row) as Json);
  }

  delete(table: string, id: string): boolean {
    const isThere = this.rows(table).has(id);
    if (isThere) this.#apply(table, id, undefined);
    return isThere;
  }

  deleteAll(table: string): number {
    return [...this.rows(table).keys()].filter((id) => this.delete(table, id)).length;
  }

  /** Makes durable what the call has changed. */
  commit(): void {
    if (this.#changes.length === 0) return;
    if (readFileSync(`${this.#path}.lock`, "utf8") !== this.#token) throw busy(this.#path);
    const replaced = this.#changes.filter(({ before }) => before !== undefined);
    const isTextGone = replaced.some(({ table }) => !BOOKS.has((JSON.parse(table) as string[])[0] ?? ""));
    this.#stale += replaced.length;
    // Text that was replaced or deleted must not stand in an older line.
    if (isTextGone || this.#stale > Math.max(1_000, this.#rows)) this.#rewrite();
    else this.#append();
    this.#changes = [];
  }

  /** Takes back what the call has changed. */
  rollback(): void {
    for (const { table, id, before } of this.#changes.toReversed()) this.#set(table, id, before);
    this.#changes = [];
  }

  close(): void {
    closeSync(this.#file);
    if (readFileSync(`${this.#path}.lock`, "utf8") === this.#token) rmSync(`${this.#path}.lock`);
  }

  #apply(table: string, id: string, row: Json | undefined): void {
    this.#changes.push({ table, id, before: this.#tables.get(table)?.get(id) });
    this.#set(table, id, row);
  }

  #set(table: string, id: string, row: Json | undefined): void {
    const rows = this.#tables.get(table) ?? new Map<string, Json>();
    this.#rows -= rows.size;
    if (row === undefined) rows.delete(id);
    else rows.set(id, row);
    this.#rows += rows.size;
    if (rows.size > 0) this.#tables.set(table, rows);
    else this.#tables.delete(table);
  }

  #read(line: string, index: number): void {
    try {
      const read = JSON.parse(line) as { format: string; version: number } | Change[];
      if (Array.isArray(read)) for (const [table, id, row] of read) this.#set(table, id, row);
      else if (index > 0 || read.format !== FORMAT) throw new Error(`It is no line of ${FORMAT}.`);
      else if (read.version !== 1) {
        const versions = `version ${read.version}; this store knows version 1`;
        throw new MemoryError("STORE_NEWER", `${this.#path} is of ${versions}. Use a newer store.`);
      }
    } catch (cause) {
      if (MemoryError.isInstance(cause)) throw cause;
      const where = `Line ${index + 1} of ${this.#path}`;
      throw new MemoryError("STORE_CORRUPT", `${where} can't be read; restore the file from a copy.`, { cause });
    }
  }

  #append(): void {
    const line = this.#changes.map(({ table, id }) => [table, id, this.#tables.get(table)?.get(id)]);
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    const { size } = fstatSync(this.#file);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
      fsyncSync(this.#file);
    } catch (error) {
      // The next line must not follow half of this one.
      ftruncateSync(this.#file, size);
      throw error;
    }
  }

  /** Writes the file anew, beside the old one, and puts it in its place. */
  #rewrite(): void {
    const lines = [JSON.stringify({ format: FORMAT, version: 1 })];
    for (const [table, rows] of this.#tables)
      for (const [id, row] of rows) lines.push(JSON.stringify([[table, id, row]]));
    const fresh = openSync(`${this.#path}.new`, "w", 0o600);
    writeFileSync(fresh, `${lines.join("\n")}\n`);
    fsyncSync(fresh);
    closeSync(fresh);
    renameSync(`${this.#path}.new`, this.#path);
    if (this.#file !== -1) closeSync(this.#file);
    this.#file = openSync(this.#path, "a");
    this.#stale = 0;
  }

  /** One process at a time. A handle that was left open in this process, or by one that died, has lost it. */
  #lock(): void {
    const lock = `${this.#path}.lock`;
    const holder = existsSync(lock) ? Number.parseInt(readFileSync(lock, "utf8"), 10) : process.pid;
    if (holder !== process.pid && isAlive(holder)) throw busy(this.#path);
    writeFileSync(lock, this.#token);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const busy = (path: string): MemoryError =>
  new MemoryError("STORE_BUSY", `${path} is in another handle's use; this store is for one handle at a time.`);

/** A file's error as the contract wants it: a code that says what to do. */
function translated(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (MemoryError.isInstance(error) || code === undefined) return error;
  const name =
    code === "ENOSPC" ? "STORE_FULL" : /EACCES|EPERM|EROFS/.test(code) ? "STORE_READ_ONLY" : "STORE_UNREACHABLE";
  return new MemoryError(name, `${path} can't be used: ${message}`, { cause: error });
}

// ── Part 2: the contract ──────────────────────────────────────────────────────────────────────────────────────────────

type Conversation = Omit<ConversationRow, "turns" | "messages" | "title" | "metadata"> & {
  /** The newest version given to a summary. */
  summaryVersion: number;
  lease?: HeldLease;
};
type About = Pick<ConversationRow, "title" | "metadata">;
type Summary = SummaryRow & { deletedAt?: string };
/** What belongs to an owner's facts as a whole. */
type FactBook = { version: number; tombstones: string[]; operations: Record<string, { result: string; at: string }> };

/** A table's name: labels as JSON, so that no id can imitate a border between two of them. */
const table = (kind: string, ...labels: (string | null)[]): string => JSON.stringify([kind, ...labels]);
const ofAgent = (kind: string, { tenant, agent }: AgentOwner): string => table(kind, tenant, agent);
const ofConversation = (kind: string, { tenant, agent, conversation }: ConversationOwner): string =>
  table(kind, tenant, agent, conversation);
const ofFacts = ({ tenant, agent, scope, id }: FactOwner): string => table("fact", tenant, agent, scope, id);

/** That something was erased is kept as a hash of its name. */
const markOf = (...name: (string | null)[]): string =>
  createHash("sha256").update(JSON.stringify(name)).digest("base64url");

/**
 * A store on a JSON-lines file: durable, for one process at a time. Everything is in memory as well, so it is for as much
 * as fits there.
 */
export function jsonlStore({ path }: { path: string }): MemoryStore {
  let tables: Tables | null = null;
  let isClosed = false;

  /** One call: whole or not at all. Nothing gives way in between, so calls don't meet. */
  async function call<Result>(options: CallOptions | undefined, work: (db: Tables) => Result): Promise<Result> {
    if (isClosed) throw new MemoryError("STORE_CLOSED", `The store on ${path} was closed; make a new one.`);
    if (options?.signal?.aborted) {
      throw new MemoryError("ABORTED", "The call was ended before it began.", { cause: options.signal.reason });
    }
    try {
      // Making a store opens nothing: the first call does.
      tables ??= new Tables(path);
      const result = work(tables);
      tables.commit();
      return result;
    } catch (error) {
      tables?.rollback();
      throw translated(error, path);
    }
  }
  /** The same; the result is a copy of rows. */
  const read = <Result>(options: CallOptions | undefined, work: (db: Tables) => Result): Promise<Result> =>
    call(options, (db) => plainCopy(work(db)));

  return {
    contractVersion: 1,
    name: "example-jsonl",
    capabilities: {
      durable: true,
      // What isn't claimed isn't tested, and core does without it.
      multiProcess: false,
      keywordSearch: false,
      vectorSearch: false,
      rowLevelSecurity: false,
      changeFeed: false,
      checkpoints: false,
    },

    readContext: (owner, query, options) =>
      read(options, (db) => {
        const row = conversationOf(db, owner);
        const subject = query.subject === undefined ? row?.subject : resolve(db, owner, query.subject);
        const summary = liveSummary(db, owner);
        const folded = query.window?.afterSummary ? (summary?.through ?? 0) : 0;
        return {
          ...(subject === undefined ? {} : { subject }),
          conversation: row === undefined ? null : publicRow(db, owner, row),
          turns:
            query.window === null
              ? []
              : cutWindow(turnsOf(db, owner), query.window, Math.max(row?.clearedThrough ?? 0, folded)),
          summary,
          facts:
            query.facts === null
              ? []
              : factSets(db, contextFactOwners(owner, subject), { now: query.now, ...query.facts }),
        };
      }),

    commitTurn: (owner, write, options) =>
      read(options, (db) => {
        const { turn, hides = [], now } = write;
        const stored = conversationOf(db, owner);
        const bound = stored?.subject;
        const subject = write.subject === undefined ? bound : resolve(db, owner, write.subject);
        const turns = turnsOf(db, owner);
        const names = { conversation: owner.conversation, subject: bound ?? subject };
        const refusal = refusalOfTurn(write, {
          turns,
          bound,
          subject,
          isErased: isErased(db, owner, names, turn.startedAt),
        });
        if (refusal !== null) return refusal;

        const before = stored ?? newConversation(owner, now);
        const seq = before.lastSeq + 1;
        for (const other of turns) {
          if (!hides.includes(other.id)) continue;
          db.put(ofConversation("turn", owner), other.id, { ...other, hidden: true, replacedBy: turn.id });
        }
        // Put behind the others, as its number is.
        db.delete(ofConversation("turn", owner), turn.id);
        db.put(ofConversation("turn", owner), turn.id, { ...turn, conversation: owner.conversation, seq, subject });
        const login = write.login ?? before.login;
        const row = putConversation(db, owner, {
          ...before,
          ...plainCopy({ subject, login }),
          updatedAt: now,
          lastSeq: seq,
        });
        return { status: "stored", seq, conversation: publicRow(db, owner, row) };
      }),

    readTurns: (owner, { ids, after = 0, before = Number.POSITIVE_INFINITY, order, limit, hidden }, options) =>
      read(options, (db) => {
        const found = turnsOf(db, owner).filter(
          ({ id, seq, hidden: isHidden }) =>
            seq > after && seq < before && (hidden || !isHidden) && (ids === undefined || ids.includes(id)),
        );
        return (order === "newest" ? found.reverse() : found).slice(0, limit);
      }),

    findMessages: (owner, ids, options) => read(options, (db) => locateMessages(turnsOf(db, owner), ids)),

    changeTurns: (owner, changes, options) =>
      call(options, (db) => {
        const changed = new Set<string>();
        for (const change of changes) {
          const rows = db.rows<TurnRow>(ofConversation("turn", owner));
          const before = rows.get(change.turn);
          const after = before === undefined ? undefined : changeTurnRow(before, change);
          if (after === undefined || after === before) continue;
          changed.add(change.turn);
          if (after === null) db.delete(ofConversation("turn", owner), change.turn);
          else db.put(ofConversation("turn", owner), change.turn, after);
        }
        const row = conversationOf(db, owner);
        if (row !== undefined && changed.size > 0 && options?.now !== undefined) {
          putConversation(db, owner, { ...row, updatedAt: options.now });
        }
        return changed.size;
      }),

    readConversation: (owner, options) =>
      read(options, (db) => {
        const row = conversationOf(db, owner);
        return row === undefined ? null : publicRow(db, owner, row);
      }),

    listConversations: (owner, { subject, former = false, after, limit }, options) =>
      read(options, (db) =>
        conversationsOf(db, owner)
          .filter(({ of, row }) => {
            if (subject === undefined) return true;
            if (!former) return row.subject === subject;
            return row.subject !== subject && turnsOf(db, of).some((turn) => turn.subject === subject);
          })
          .filter(({ row }) => after === undefined || compareUpdated(after, row) < 0)
          .sort((left, right) => compareUpdated(left.row, right.row))
          .slice(0, limit)
          .map(({ of, row }) => publicRow(db, of, row)),
      ),

    changeConversation: (owner, change, options) =>
      read(options, (db) => {
        const stored = conversationOf(db, owner);
        if (stored === undefined && change.create !== true) return { status: "missing" };
        if (change.ifVersion !== undefined && change.ifVersion !== (stored?.version ?? 0))
          return { status: "conflict" };
        const { title, metadata, subject, clearedThrough, now } = change;
        const before = stored ?? newConversation(owner, now);
        const version = stored === undefined ? 1 : stored.version + 1;
        const row = putConversation(db, owner, {
          ...before,
          ...(subject === undefined ? {} : { subject }),
          ...(clearedThrough === undefined ? {} : { clearedThrough }),
          version,
          updatedAt: now,
        });
        const about = db.rows<About>(ofAgent("about", owner)).get(owner.conversation) ?? {};
        const [newTitle, newMetadata] = [
          title === undefined ? about.title : title,
          metadata === undefined ? about.metadata : metadata,
        ];
        db.put(ofAgent("about", owner), owner.conversation, {
          ...(newTitle == null ? {} : { title: newTitle }),
          ...(newMetadata == null ? {} : { metadata: newMetadata }),
        });
        return { status: "changed", conversation: publicRow(db, owner, row) };
      }),

    commitSummary: (owner, { expectedVersion, summary, now }, options) =>
      call(options, (db) => {
        const row = conversationOf(db, owner);
        if (row === undefined || expectedVersion !== (liveSummary(db, owner)?.version ?? 0))
          return { status: "conflict" };
        if (summary === null) {
          for (const [id, version] of db.rows<Summary>(ofConversation("summary", owner))) {
            if (version.deletedAt === undefined) {
              db.put(ofConversation("summary", owner), id, { ...version, text: "", deletedAt: now });
            }
          }
          return { status: "committed", version: 0 };
        }
        const folded = db.rows<TurnRow>(ofConversation("turn", owner)).get(summary.throughTurn);
        if (folded?.seq !== summary.through) return { status: "conflict" };
        const version = row.summaryVersion + 1;
        putConversation(db, owner, { ...row, summaryVersion: version });
        db.put(ofConversation("summary", owner), String(version), { ...summary, version });
        return { status: "committed", version };
      }),

    readSummaries: (owner, { limit }, options) => read(options, (db) => summariesOf(db, owner).slice(0, limit)),

    readFacts: (owners, query, options) => read(options, (db) => factSets(db, owners, query)),

    commitFacts: (owner, commit, options) =>
      call(options, (db) => {
        const { tenant, agent, scope, id } = owner;
        const { operation, tombstones = {} } = commit;
        const book = factBook(db, owner);
        const own = scope === "app" ? {} : scope === "conversation" ? { conversation: id } : { subject: id };
        const refusal = refusalOfFacts(commit, {
          version: book.version,
          hasTombstone: (hash) => book.tombstones.includes(hash),
          resultOf: (key) => book.operations[key]?.result,
          isErased:
            isErased(db, owner, own, commit.beganAt) ||
            isErased(db, owner, { subject: commit.subject }, commit.beganAt),
        });
        if (refusal !== null) return refusal;

        for (const gone of commit.erase ?? []) db.delete(ofFacts(owner), gone);
        for (const fact of commit.put) db.put(ofFacts(owner), fact.id, fact);
        const kept = book.tombstones.filter((hash) => tombstones.lift?.includes(hash) !== true);
        const done = operation === undefined ? {} : { [operation.key]: { result: operation.result, at: commit.now } };
        const version = book.version + 1;
        db.put(table("facts", tenant, agent), JSON.stringify([scope, id]), {
          version,
          tombstones: [...new Set([...kept, ...(tombstones.add ?? [])])].sort(compareText),
          operations: { ...book.operations, ...done },
        });
        return { status: "committed", version };
      }),

    readTombstones: (owner, options) => read(options, (db) => factBook(db, owner).tombstones),

    readRecords: (owner, query, options) =>
      read(options, (db) => selectRecords(db.rows<RecordRow>(ofAgent("record", owner)).values(), query)),

    commitRecords: (owner, commits, options) =>
      call(options, (db) => {
        const now = options?.now ?? new Date().toISOString();
        const versions: number[] = [];
        for (const [index, { ifVersion, ...commit }] of commits.entries()) {
          const place = JSON.stringify([commit.namespace, commit.key]);
          const stored = db.rows<RecordRow>(ofAgent("record", owner)).get(place);
          const before = stored !== undefined && isLiveRecord(stored, now) ? stored : undefined;
          const version = before?.version ?? 0;
          if (ifVersion !== undefined && ifVersion !== version) {
            db.rollback();
            return { status: "conflict", index, version };
          }
          if (commit.value === undefined) db.delete(ofAgent("record", owner), place);
          else {
            const times = { createdAt: before?.createdAt ?? now, updatedAt: now };
            db.put(ofAgent("record", owner), place, { ...commit, version: version + 1, ...times });
          }
          versions.push(commit.value === undefined ? 0 : version + 1);
        }
        return { status: "committed", versions };
      }),

    listNamespaces: (owner, query, options) =>
      read(options, (db) => selectNamespaces(db.rows<RecordRow>(ofAgent("record", owner)).values(), query)),

    readItems: (owner, query, options) =>
      call(options, (db) => {
        const items = db.rows<string>(ofConversation("item", owner));
        return selectItemKeys(items.keys(), query).map((key) => ({
          key,
          bytes: new Uint8Array(Buffer.from(items.get(key) ?? "", "base64")),
        }));
      }),

    commitItems: (owner, commits, options) =>
      call(options, (db) => {
        const names = { conversation: owner.conversation, subject: options?.subject };
        if (isErased(db, owner, names, options?.beganAt)) return false;
        const items = ofConversation("item", owner);
        for (const commit of commits) {
          if (commit.action === "delete") db.delete(items, commit.key);
          else if (commit.action === "delete-prefix") {
            for (const key of [...db.rows(items).keys()]) if (key.startsWith(commit.prefix)) db.delete(items, key);
          } else if (!commit.ifAbsent || !db.rows(items).has(commit.key)) {
            db.put(items, commit.key, Buffer.from(commit.bytes).toString("base64"));
          }
        }
        return true;
      }),

    claimWork: (owner, claim, options) =>
      read(options, (db) =>
        conversationsOf(db, owner)
          .filter(({ row }) => row.settledSeq < row.lastSeq && isLeaseFree(row.lease, claim))
          .filter(({ row }) => claim.conversation === undefined || row.id === claim.conversation)
          .sort(
            ({ row: left }, { row: right }) =>
              compareText(left.updatedAt, right.updatedAt) || compareText(left.id, right.id),
          )
          .slice(0, claim.limit)
          .map(({ of, row }) => publicRow(db, of, putConversation(db, of, { ...row, lease: leaseOf(claim) }))),
      ),

    settleWork: (owner, settlement, options) =>
      call(options, (db) => {
        const row = conversationOf(db, owner);
        if (row === undefined || isAnother(row, settlement)) return;
        const { lease, ...rest } = row;
        const isKept = lease?.holder !== settlement.holder || settlement.release === false;
        putConversation(db, owner, { ...rest, ...(lease && isKept ? { lease } : {}), ...settledWork(row, settlement) });
      }),

    reopenWork: (owner, options) =>
      call(options, (db) => {
        for (const { of, row } of conversationsOf(db, owner)) putConversation(db, of, { ...row, settledSeq: 0 });
      }),

    claimLease: (owner, lease, options) =>
      call(options, (db) => {
        const isFree = isLeaseFree(db.rows<HeldLease>(ofAgent("lease", owner)).get(lease.name), lease);
        if (isFree) db.put(ofAgent("lease", owner), lease.name, leaseOf(lease));
        return isFree;
      }),

    releaseLease: (owner, { name, holder }, options) =>
      call(options, (db) => {
        const held = db.rows<HeldLease>(ofAgent("lease", owner)).get(name);
        if (held?.holder === holder) db.delete(ofAgent("lease", owner), name);
      }),

    linkIdentity: (owner, link, options) =>
      call(options, (db) => db.put(ofAgent("identity", owner), link.identity, link)),

    unlinkIdentity: (owner, identity, options) =>
      call(options, (db) => db.delete(ofAgent("identity", owner), identity)),

    listIdentities: (owner, { subject }, options) =>
      read(options, (db) =>
        [...db.rows<IdentityRow>(ofAgent("identity", owner)).values()]
          .filter((link) => subject === undefined || link.subject === subject)
          .sort((left, right) => compareText(left.identity, right.identity)),
      ),

    resolveSubject: (owner, subject, options) => call(options, (db) => resolve(db, owner, subject)),

    /** Beside the file and not in it: who has the file alone can't try out what was forgotten. */
    secret: () =>
      call(undefined, () => {
        const key = `${path}.key`;
        if (!existsSync(key)) writeFileSync(key, randomBytes(32), { mode: 0o600 });
        return new Uint8Array(readFileSync(key));
      }),

    purgeExpired: (owner, query, options) =>
      call(options, (db) => {
        const counts = { facts: 0, operations: 0, records: 0, leases: 0 };
        const isOver = (end: string | undefined) => end !== undefined && end <= query.now;
        for (const of of [...factOwners(db, owner.tenant, owner.agent), ...factOwners(db, owner.tenant, null)]) {
          const before = counts.facts;
          for (const [id, fact] of db.rows<Fact>(ofFacts(of))) {
            if (counts.facts < query.limit && isOver(fact.expiresAt) && db.delete(ofFacts(of), id)) counts.facts++;
          }
          const book = factBook(db, of);
          const old = Object.keys(book.operations)
            .filter((key) => (book.operations[key]?.at ?? "") < query.operationsBefore)
            .slice(0, query.limit - counts.operations);
          counts.operations += old.length;
          if (old.length === 0 && counts.facts === before) continue;
          db.put(table("facts", of.tenant, of.agent), JSON.stringify([of.scope, of.id]), {
            ...book,
            version: book.version + (counts.facts > before ? 1 : 0),
            operations: Object.fromEntries(Object.entries(book.operations).filter(([key]) => !old.includes(key))),
          });
        }
        for (const [place, { expiresAt }] of db.rows<RecordRow>(ofAgent("record", owner))) {
          if (counts.records < query.limit && isOver(expiresAt)) {
            db.delete(ofAgent("record", owner), place);
            counts.records++;
          }
        }
        for (const [name, { until }] of db.rows<HeldLease>(ofAgent("lease", owner))) {
          if (counts.leases < query.limit && isOver(until) && db.delete(ofAgent("lease", owner), name)) counts.leases++;
        }
        return counts;
      }),

    erase: (owner, target, options) =>
      call(options, (db) => {
        const removed: Removed = {
          conversations: 0,
          turns: 0,
          messages: 0,
          summaries: 0,
          facts: 0,
          items: 0,
          records: 0,
          identities: 0,
        };
        if (target.kind === "conversation") {
          eraseConversation(db, { ...owner, conversation: target.conversation }, options.now, removed);
        } else eraseSubject(db, owner, target.subject, options.now, removed);
        return { removed, residue: [] };
      }),

    async close() {
      isClosed = true;
      tables?.close();
      tables = null;
    },
  };
}

function newConversation({ conversation: id }: ConversationOwner, now: string): Conversation {
  const counts = { lastSeq: 0, clearedThrough: 0, settledSeq: 0, summaryVersion: 0, version: 1 };
  return { id, createdAt: now, updatedAt: now, watermarks: {}, ...counts };
}

const conversationOf = (db: Tables, owner: ConversationOwner): Conversation | undefined =>
  db.rows<Conversation>(ofAgent("conversation", owner)).get(owner.conversation);

const conversationsOf = (db: Tables, { tenant, agent }: AgentOwner): { of: ConversationOwner; row: Conversation }[] =>
  [...db.rows<Conversation>(table("conversation", tenant, agent)).values()].map((row) => ({
    of: { tenant, agent, conversation: row.id },
    row,
  }));

function putConversation(db: Tables, owner: ConversationOwner, row: Conversation): Conversation {
  db.put(ofAgent("conversation", owner), owner.conversation, row);
  return row;
}

/** The row as callers get it. */
function publicRow(db: Tables, owner: ConversationOwner, row: Conversation): ConversationRow {
  const { summaryVersion: _version, lease: _lease, ...rest } = row;
  const visible = turnsOf(db, owner).filter(({ hidden }) => !hidden);
  const messages = visible.reduce((sum, { counted }) => sum + counted, 0);
  const about = db.rows<About>(ofAgent("about", owner)).get(owner.conversation);
  return { ...rest, ...about, turns: visible.length, messages };
}

/** Oldest first: a turn that is written is put behind the others. */
const turnsOf = (db: Tables, owner: ConversationOwner): TurnRow[] => [
  ...db.rows<TurnRow>(ofConversation("turn", owner)).values(),
];

/** Newest first. */
const summariesOf = (db: Tables, owner: ConversationOwner): Summary[] =>
  [...db.rows<Summary>(ofConversation("summary", owner)).values()].toReversed();

function liveSummary(db: Tables, owner: ConversationOwner): SummaryRow | null {
  const [newest] = summariesOf(db, owner);
  return newest === undefined || newest.deletedAt !== undefined ? null : newest;
}

const resolve = (db: Tables, owner: AgentOwner, subject: string): string =>
  db.rows<IdentityRow>(ofAgent("identity", owner)).get(subject)?.subject ?? subject;

const factBook = (db: Tables, { tenant, agent, scope, id }: FactOwner): FactBook =>
  db.rows<FactBook>(table("facts", tenant, agent)).get(JSON.stringify([scope, id])) ?? {
    version: 0,
    tombstones: [],
    operations: {},
  };

/** All owners of facts of an agent, or with `null` the shared ones of the tenant. */
const factOwners = (db: Tables, tenant: string, agent: string | null): FactOwner[] =>
  [...db.rows(table("facts", tenant, agent)).keys()].map((key) => {
    const [scope, id] = JSON.parse(key) as [FactOwner["scope"], string];
    return { tenant, agent, scope, id };
  });

const factSets = (db: Tables, owners: readonly FactOwner[], query: Parameters<typeof matchesFactQuery>[1]) =>
  owners.map((owner) => {
    const found = [...db.rows<Fact>(ofFacts(owner)).values()].filter((fact) => matchesFactQuery(fact, query));
    const facts = found.sort(compareUpdated).slice(0, query.limit);
    return { owner, version: factBook(db, owner).version, facts, total: found.length };
  });

/** True where one of these was erased at or after the moment. */
function isErased(
  db: Tables,
  { tenant, agent }: { tenant: string; agent: string | null },
  names: { conversation?: string; subject?: string | undefined },
  moment: string | undefined,
): boolean {
  if (moment === undefined) return false;
  return Object.entries(names).some(([kind, id]) => {
    const at = id === undefined ? undefined : db.rows<string>(table("erased")).get(markOf(tenant, agent, kind, id));
    return at !== undefined && at >= moment;
  });
}

function markErased(db: Tables, now: string, ...name: (string | null)[]): void {
  const mark = markOf(...name);
  if ((db.rows<string>(table("erased")).get(mark) ?? "") < now) db.put(table("erased"), mark, now);
}

interface Removed extends Record<string, number> {
  conversations: number;
  turns: number;
  messages: number;
  summaries: number;
  facts: number;
  items: number;
  records: number;
  identities: number;
}

function eraseTurns(
  db: Tables,
  owner: ConversationOwner,
  removed: Removed,
  isMeant: (turn: TurnRow) => boolean,
): boolean {
  const gone = turnsOf(db, owner).filter(isMeant);
  for (const { id, messages } of gone) {
    db.delete(ofConversation("turn", owner), id);
    removed.turns += 1;
    removed.messages += messages.length;
  }
  return gone.length > 0;
}

function eraseFacts(db: Tables, owner: FactOwner, removed: Removed): void {
  removed.facts += db.deleteAll(ofFacts(owner));
  db.delete(table("facts", owner.tenant, owner.agent), JSON.stringify([owner.scope, owner.id]));
}

function eraseConversation(db: Tables, owner: ConversationOwner, now: string, removed: Removed): void {
  const { tenant, agent, conversation: id } = owner;
  eraseTurns(db, owner, removed, () => true);
  removed.summaries += db.deleteAll(ofConversation("summary", owner));
  removed.items += db.deleteAll(ofConversation("item", owner));
  if (db.delete(ofAgent("conversation", owner), id)) removed.conversations += 1;
  db.delete(ofAgent("about", owner), id);
  eraseFacts(db, { tenant, agent, scope: "conversation", id }, removed);
  markErased(db, now, tenant, agent, "conversation", id);
}

function eraseSubject(db: Tables, owner: AgentOwner, subject: string, now: string, removed: Removed): void {
  const { tenant, agent } = owner;
  for (const { of, row } of conversationsOf(db, owner)) {
    if (row.subject === subject) eraseConversation(db, of, now, removed);
    // A summary may hold what the erased turns said. The other turns are folded anew.
    else if (eraseTurns(db, of, removed, (turn) => turn.subject === subject)) {
      removed.summaries += db.deleteAll(ofConversation("summary", of));
    }
  }
  for (const [place, record] of db.rows<RecordRow>(ofAgent("record", owner))) {
    if (record.subject === subject && db.delete(ofAgent("record", owner), place)) removed.records += 1;
  }
  const names = [subject];
  for (const [identity, link] of db.rows<IdentityRow>(ofAgent("identity", owner))) {
    if (link.subject !== subject || !db.delete(ofAgent("identity", owner), identity)) continue;
    removed.identities += 1;
    // A late write that names the identity is one of the subject.
    names.push(identity);
  }
  eraseFacts(db, { tenant, agent, scope: "user", id: subject }, removed);
  eraseFacts(db, { tenant, agent: null, scope: "global", id: subject }, removed);
  for (const name of names) {
    markErased(db, now, tenant, agent, "subject", name);
    markErased(db, now, tenant, null, "subject", name);
  }
}
