import { checkId, checkOptionalId } from "../checks/ids.ts";
import type { Checkpoints } from "../contract/checkpoints.ts";
import type { ConversationRef } from "../contract/conversation.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { CheckpointStore } from "../contract/store-checkpoints.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "./call-options.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";
import { retryingWrite, withDeadline } from "./resilience.ts";

const PAGE = 100;

const mismatch = (): MemoryError =>
  new MemoryError(
    "CONVERSATION_OWNER_MISMATCH",
    "The conversation belongs to another subject than the run names; begin another conversation, or rebind this one.",
  );

/** Refuses what a store can't keep apart. */
function checkName(value: unknown, what: string): void {
  if (typeof value === "string" && value.isWellFormed() && !value.includes("\0")) return;
  throw new MemoryError("INVALID_ID", `The ${what} is not a text without NUL and lone surrogates.`, {
    details: { what },
  });
}

/** The checkpoints of one memory's conversations. */
export function createCheckpoints(engine: Engine): Checkpoints {
  const opened = async (): Promise<CheckpointStore> => {
    const store = await engine.store();
    if (store.checkpoints !== undefined) return store.checkpoints;
    throw new MemoryError(
      "STORE_CONTRACT",
      `The store "${store.name}" keeps no checkpoints; use one whose capabilities say so, such as @throughline/store-sqlite.`,
      { details: { store: store.name } },
    );
  };
  const ownerOf = (ref: ConversationRef): ConversationOwner => {
    checkId(ref?.id, "conversation id");
    checkOptionalId(ref.subject, "subject id");
    checkOptionalId(ref.login, "login id");
    return { ...engine.owner, conversation: ref.id };
  };
  /** Tells that something came after its conversation's checkpoints were gone. */
  const reportLate = (conversation: string, operation: string): void =>
    engine.emit({ type: "memory.write_failed", conversation, operation, code: "ERASED", attempts: 1 });
  /** One name of the subject may be written down, and another be asked under. */
  const checkSubject = async (ref: ConversationRef, bound: string | undefined, call: CallOptions): Promise<void> => {
    if (ref.subject === undefined || bound === undefined || bound === ref.subject) return;
    if ((await canonicalSubject(engine, ref.subject, call)) !== bound) throw mismatch();
  };
  const read = <T>(run: () => Promise<T>): Promise<T> => withDeadline(run(), engine.readTimeoutMs, "checkpoints");

  return {
    async put(ref, checkpoint, options = {}) {
      const owner = ownerOf(ref);
      checkId(checkpoint.id, "checkpoint id");
      checkName(checkpoint.space, "checkpoint space");
      for (const { name } of checkpoint.values) checkName(name, "value name");
      const store = await opened();
      const write = {
        ...checkpoint,
        ...(ref.subject === undefined ? {} : { subject: ref.subject }),
        ...(ref.login === undefined ? {} : { login: ref.login }),
        now: engine.now(),
      };
      const commit = await retryingWrite(
        engine,
        "put_checkpoint",
        () => store.put(owner, write, callOf(options.signal)),
        options.signal,
      );
      if (commit.status === "owner-mismatch") throw mismatch();
      if (commit.status === "late" && commit.gone) reportLate(ref.id, "put_checkpoint");
      return commit;
    },
    async putWrites(ref, writes, options = {}) {
      const owner = ownerOf(ref);
      checkId(writes.checkpoint, "checkpoint id");
      checkName(writes.space, "checkpoint space");
      checkName(writes.task, "task id");
      checkName(writes.path, "task path");
      for (const { name } of writes.writes) checkName(name, "value name");
      const store = await opened();
      const given = { ...writes, ...(ref.subject === undefined ? {} : { subject: ref.subject }) };
      const status = await retryingWrite(
        engine,
        "put_writes",
        () => store.putWrites(owner, given, callOf(options.signal)),
        options.signal,
      );
      if (status === "owner-mismatch") throw mismatch();
      if (status === "late") reportLate(ref.id, "put_writes");
      return status === "stored";
    },
    async read(ref, query, options = {}) {
      const owner = ownerOf(ref);
      const store = await opened();
      const row = await read(() => store.read(owner, query, callOf(options.signal)));
      if (row !== null) await checkSubject(ref, row.subject, callOf(options.signal));
      return row;
    },
    async list(query, options = {}) {
      const store = await opened();
      const subject = await canonicalSubject(engine, query.subject, callOf(options.signal));
      const asked = subject === undefined ? query : { ...query, subject };
      return read(() => store.list(engine.owner, asked, callOf(options.signal)));
    },
    async history(ref, query, options = {}) {
      const owner = ownerOf(ref);
      const store = await opened();
      const call = callOf(options.signal);
      const { space, id } = query;
      const [found, head] = await Promise.all([
        read(() => store.history(owner, query, call)),
        // A history doesn't say whose it is.
        ref.subject === undefined
          ? null
          : read(() => store.read(owner, { space, ...(id === undefined ? {} : { id }), heads: true }, call)),
      ]);
      if (head !== null) await checkSubject(ref, head.subject, call);
      return found;
    },
    async threads({ subject, limit = PAGE, cursor } = {}, options = {}) {
      checkOptionalId(subject, "subject id");
      const store = await opened();
      const whose = await canonicalSubject(engine, subject, callOf(options.signal));
      const query = {
        ...(whose === undefined ? {} : { subject: whose }),
        ...(cursor === undefined ? {} : { after: cursor }),
        limit: limit + 1,
      };
      const rows = await read(() => store.threads(engine.owner, query, callOf(options.signal)));
      const items = rows.slice(0, limit);
      const last = items.at(-1);
      return rows.length > limit && last !== undefined ? { items, cursor: last.conversation } : { items };
    },
    async copy(from, to, options = {}) {
      const owner = ownerOf(from);
      ownerOf(to);
      const store = await opened();
      const head = await store.list(
        engine.owner,
        { conversation: from.id, limit: 1, heads: true },
        callOf(options.signal),
      );
      const bound = head[0]?.subject;
      await checkSubject(from, bound, callOf(options.signal));
      const recorded = await (await engine.store()).readConversation(
        { ...engine.owner, conversation: to.id },
        callOf(options.signal),
      );
      // What is copied into a conversation is shown to whoever it belongs to.
      const whose = to.subject ?? bound;
      await checkSubject(
        whose === undefined ? to : { ...to, subject: whose },
        recorded?.subject,
        callOf(options.signal),
      );
      const copied = await store.copy(
        owner,
        {
          conversation: to.id,
          ...(to.subject === undefined ? {} : { subject: to.subject }),
          ...(to.login === undefined ? {} : { login: to.login }),
          now: engine.now(),
        },
        callOf(options.signal),
      );
      if (copied === null) {
        throw new MemoryError(
          "VERSION_CONFLICT",
          `The conversation "${to.id}" has checkpoints already; name a new one.`,
        );
      }
      if (copied > 0)
        engine.emit({ type: "memory.changed", conversation: to.id, operation: "copy_checkpoints", items: copied });
      return copied;
    },
    async remove(ref, checkpoints, options = {}) {
      const owner = ownerOf(ref);
      const store = await opened();
      const removed = await store.remove(owner, checkpoints, callOf(options.signal));
      if (removed > 0) {
        engine.emit({ type: "memory.changed", conversation: ref.id, operation: "remove_checkpoints", items: removed });
      }
      return removed;
    },
  };
}
