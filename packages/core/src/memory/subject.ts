import { dropSegments, readCarryOvers } from "../carry-over/segments.ts";
import type { Subject } from "../contract/conversation.ts";
import type { ReadOperation } from "../contract/events.ts";
import type { Fact, FactInput, FactScope } from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { FactOwner } from "../contract/owner.ts";
import type { FactChange } from "../contract/subject-export.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { HISTORY_LIMIT } from "../facts/fact-access.ts";
import { type FactContext, factOwner } from "../facts/fact-owner.ts";
import { rememberFact } from "../facts/remember-fact.ts";
import { withDisputes } from "../facts/settle-slots.ts";
import { liftForgotten } from "../facts/tombstones.ts";
import { callOf } from "./call-options.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";
import { later } from "./later.ts";
import { listReported } from "./list-conversations.ts";
import { reporting } from "./reporting.ts";
import { searchMessages } from "./search-later.ts";
import { withResidue } from "./with-residue.ts";
import { withSignal } from "./with-signal.ts";

const undoFact = later(async () => (await import("../facts/undo-fact.ts")).undoFact);
const auditSubject = later(async () => (await import("./audit.ts")).auditSubject);
const conversationsOf = later(async () => (await import("./audit.ts")).conversationsOf);
const exportSubject = later(async () => (await import("./audit.ts")).exportSubject);
const eraseSubject = later(async () => (await import("./erase-subject.ts")).eraseSubject);

/** Facts that `facts()` reads per scope. */
const READ_LIMIT = 10_000;

const subjectOwners = (context: FactContext): FactOwner[] =>
  (["user", "global"] as const).flatMap((scope) => factOwner(context, scope) ?? []);

/** Owners whose facts are read at a time. */
const OWNERS = 200;

/** Whose facts the agent may have changed for a subject: its own, and those of its conversations. */
async function changeOwners(engine: Engine, subject: string): Promise<FactOwner[]> {
  const conversations = await conversationsOf(engine, subject);
  return [
    ...subjectOwners({ ...engine.owner, subject }),
    ...conversations.flatMap(({ id }) => factOwner({ ...engine.owner, conversation: id }, "conversation") ?? []),
  ];
}

async function factsWithHistory(engine: Engine, subject: string): Promise<Fact[]> {
  const store = await engine.store();
  const owners = await changeOwners(engine, subject);
  const facts: Fact[] = [];
  for (let from = 0; from < owners.length; from += OWNERS) {
    const query = { now: engine.now(), history: true, limit: HISTORY_LIMIT };
    const sets = await store.readFacts(owners.slice(from, from + OWNERS), query);
    for (const set of sets) facts.push(...set.facts);
  }
  return facts.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

async function deleteCarryOver(engine: Engine, subject: string, login: string | undefined): Promise<Outcome> {
  const items = await dropSegments(engine, subject, { login });
  if (items === 0) return { status: "unchanged" };
  engine.emit({ type: "memory.changed", subject, operation: "delete_carry_over", items });
  return { status: "stored", id: subject };
}

/** A handle on one subject. Reads and writes nothing by itself. */
export function createSubject(engine: Engine, id: string): Subject {
  const readEvent = (operation: ReadOperation, items: number) =>
    ({ type: "memory.read", subject: id, operation, items }) as const;
  const context = async () => ({ ...engine.owner, subject: await canonicalSubject(engine, id) });
  return {
    id,
    async facts(options: { scope?: FactScope; history?: boolean; signal?: AbortSignal } = {}) {
      const scopes: readonly FactScope[] = options.scope ? [options.scope] : ["user", "global"];
      const reader = await context();
      const owners = scopes.map((scope) => {
        const owner = factOwner(reader, scope);
        if (owner === null || scope === "app") {
          throw new MemoryError("INVALID_ARGUMENT", `A subject has facts of the scopes user and global, not ${scope}.`);
        }
        return owner;
      });
      const store = await engine.store();
      const query = { now: engine.now(), limit: READ_LIMIT, ...(options.history ? { history: true } : {}) };
      const sets = await store.readFacts(owners, query, callOf(options.signal));
      const facts = sets
        .flatMap((set) => (options.history ? set.facts : withDisputes(set.facts, set.total <= set.facts.length)))
        .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? -1 : 1));
      engine.emit(readEvent("facts", facts.length));
      return facts;
    },
    remember: (fact: FactInput) => rememberFact(engine, { author: "user", origin: "user", context }, fact),
    search: (query: string, filter = {}) => searchMessages(engine, { kind: "named", subject: id }, query, filter),
    conversations: (options = {}) => listReported(engine, { ...options, subject: id }),
    async carryOver({ login, signal }: { login?: string; signal?: AbortSignal } = {}) {
      const [newest] = await readCarryOvers(withSignal(engine, signal), (await context()).subject, login);
      engine.emit(readEvent("carry_over", newest?.segments.length ?? 0));
      return newest ?? null;
    },
    async deleteCarryOver({ login, signal }: { login?: string; signal?: AbortSignal } = {}) {
      const ending = withSignal(engine, signal);
      return withResidue(ending, deleteCarryOver(ending, (await context()).subject, login));
    },
    async changes(options: CallOptions = {}) {
      const all = await factsWithHistory(withSignal(engine, options.signal), (await context()).subject);
      const replaced = new Map(all.map((older) => [older.supersededBy, older]));
      const changes = all
        .filter((fact) => fact.author === "agent" || fact.author === "distiller")
        .map((fact): FactChange => {
          const before = replaced.get(fact.id);
          return {
            fact,
            ...(before === undefined ? {} : { replaced: before }),
            ...(fact.source === undefined ? {} : { because: fact.source }),
          };
        });
      engine.emit(readEvent("changes", changes.length));
      return changes;
    },
    async undo(fact: string, options: CallOptions = {}) {
      const ending = withSignal(engine, options.signal);
      return withResidue(ending, undoFact(ending, await changeOwners(ending, (await context()).subject), fact));
    },
    async lift(forgotten: { key?: string; topic?: string; value: Json }, options: CallOptions = {}) {
      await liftForgotten(withSignal(engine, options.signal), subjectOwners(await context()), forgotten);
      engine.emit({ type: "memory.changed", subject: id, operation: "lift", items: 1 });
      return { status: "stored" as const, id };
    },
    audit: (options: CallOptions = {}) =>
      reporting(engine, auditSubject(withSignal(engine, options.signal), id), ({ conversations }) =>
        readEvent("audit", conversations.length),
      ),
    export: (options: CallOptions = {}) =>
      reporting(engine, exportSubject(withSignal(engine, options.signal), id), ({ conversations, facts, records }) => ({
        type: "memory.exported",
        subject: id,
        conversations: conversations.length,
        turns: conversations.reduce((sum, { transcript }) => sum + transcript.length, 0),
        facts: facts.length,
        records: records.length,
      })),
    async erase(options: CallOptions = {}) {
      const ending = withSignal(engine, options.signal);
      const receipt = await eraseSubject(ending, await canonicalSubject(ending, id));
      engine.emit({ type: "memory.erased", subject: id, removed: receipt.removed, residue: receipt.residue.length });
      return receipt;
    },
    // The brand exists in types only: it marks what this function makes, and nothing else can claim it.
  } as Subject;
}
