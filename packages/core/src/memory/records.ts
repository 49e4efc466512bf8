import { durationMs, timeAfter } from "../checks/duration.ts";
import { checkId, checkOptionalId } from "../checks/ids.ts";
import { checkJson } from "../checks/json.ts";
import type { Records } from "../contract/memory.ts";
import type { RecordRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { countInParts } from "../facts/terms-in-parts.ts";
import { Breath } from "../search/breath.ts";
import { type CountedText, postingsOf, type Ranked, rankInSlices } from "../search/rank.ts";
import type { Slices } from "../search/slices.ts";
import { countTerms, extractTerms } from "../search/terms.ts";
import { callOf } from "./call-options.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";
import { retryingWrite } from "./resilience.ts";

/** Records that a search looks at. */
const SEARCH_LIMIT = 10_000;

/** True for a namespace of the library's own: its first label begins with U+0001. No host's may. */
export const isReserved = (namespace: readonly string[]): boolean => namespace[0]?.startsWith("\u0001") ?? false;

/** Plain data under one namespace. */
export function createRecords(engine: Engine, labels: readonly string[]): Records {
  if (!Array.isArray(labels) || labels.length === 0) {
    throw new MemoryError("INVALID_ARGUMENT", "A namespace is a list of at least one label.");
  }
  for (const label of labels as readonly unknown[]) checkId(label, "namespace label");
  const namespace = [...labels] as string[];
  if (isReserved(namespace))
    throw new MemoryError("INVALID_ID", "A namespace must not begin with a control character.");

  const commit = async (
    change: { key: string; value?: RecordRow["value"]; ifVersion?: number; expiresAt?: string; subject?: string },
    signal?: AbortSignal,
  ) => {
    const store = await engine.store();
    const now = engine.now();
    const result = await retryingWrite(engine, "records", () =>
      store.commitRecords(engine.owner, [{ namespace, ...change }], signal === undefined ? { now } : { now, signal }),
    );
    if (result.status === "conflict") {
      throw new MemoryError(
        "VERSION_CONFLICT",
        `The record "${change.key}" has version ${result.version}, not ${change.ifVersion}; read it again.`,
        { details: { version: result.version } },
      );
    }
    return result.versions[0] ?? 0;
  };
  const read = async (query: { keys?: string[]; limit: number; offset?: number }, signal?: AbortSignal) => {
    const store = await engine.store();
    return store.readRecords(engine.owner, { now: engine.now(), namespace, ...query }, callOf(signal));
  };
  const reportRead = (items: number): void => engine.emit({ type: "memory.read", operation: "records", items });

  return {
    async get(key, options = {}) {
      checkId(key, "record key");
      const [row] = await read({ keys: [key], limit: 1 }, options.signal);
      reportRead(row ? 1 : 0);
      return row ?? null;
    },
    async put(key, value, options = {}) {
      checkId(key, "record key");
      checkJson(value, "value");
      checkOptionalId(options.subject, "subject id");
      const subject = await canonicalSubject(engine, options.subject, callOf(options.signal));
      await commit(
        {
          key,
          value,
          ...(options.ifVersion === undefined ? {} : { ifVersion: options.ifVersion }),
          ...(options.ttl === undefined ? {} : { expiresAt: timeAfter(engine.now(), durationMs(options.ttl, "ttl")) }),
          ...(subject === undefined ? {} : { subject }),
        },
        options.signal,
      );
      const [row] = await read({ keys: [key], limit: 1 }, options.signal);
      if (row === undefined) {
        throw new MemoryError("NOT_FOUND", `The record "${key}" was deleted or expired as it was put.`);
      }
      engine.emit({ type: "memory.changed", operation: "put_record", items: 1 });
      return row;
    },
    async delete(key, options = {}) {
      checkId(key, "record key");
      const [row] = await read({ keys: [key], limit: 1 }, options.signal);
      if (row === undefined) return false;
      await commit(
        { key, ...(options.ifVersion === undefined ? {} : { ifVersion: options.ifVersion }) },
        options.signal,
      );
      engine.emit({ type: "memory.changed", operation: "delete_record", items: 1 });
      return true;
    },
    async list(options = {}) {
      const rows = await read(
        { limit: options.limit ?? 100, ...(options.offset === undefined ? {} : { offset: options.offset }) },
        options.signal,
      );
      reportRead(rows.length);
      return rows;
    },
    async search(query, options = {}) {
      const rows = await read({ limit: SEARCH_LIMIT }, options.signal);
      const ranked = await new Breath(options.signal).through(rankRecords(rows, query));
      const best = ranked.slice(0, options.limit ?? 10);
      reportRead(best.length);
      return best.map(({ document, score }) => ({ ...(rows[document] as RecordRow), score }));
    },
  };
}

function* rankRecords(rows: readonly RecordRow[], query: string): Slices<Ranked[]> {
  const documents: CountedText[] = [];
  for (const row of rows) documents.push(yield* countInParts(`${row.key} ${textOf(row.value)}`, countTerms));
  return yield* rankInSlices(yield* postingsOf([...new Set(extractTerms(query))], documents));
}

const textOf = (value: RecordRow["value"]): string => (typeof value === "string" ? value : JSON.stringify(value));
