import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  maxChannelVersion,
  type PendingWrite,
  TASKS,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import {
  type CheckpointRow,
  type CheckpointValueWrite,
  type Memory,
  MemoryError,
  type PendingWriteRow,
} from "@throughline/core";
import { draftValue, type ListKind, readValue, type ValueDraft } from "./channel-values.ts";
import { readBody, writeBody } from "./checkpoint-body.ts";
import type { CheckpointerOptions } from "./checkpointer-options.ts";
import { encode, type UnknownValues } from "./codec/encode.ts";
import { setOwn } from "./codec/format.ts";
import { type Head, Heads, type HeldValue, headOf, spaceKey } from "./heads.ts";
import { KnownElements, listKey } from "./known-elements.ts";
import { ReadMarks } from "./read-marks.ts";
import { toPendingWrites, toTuple } from "./read-tuple.ts";
import { configOf, placeOf, type RunPlace, requirePlace } from "./run-place.ts";

const MOST_TRIES = 4;
/** Checkpoints of one page of a listing. */
const PAGE = 25;

/** A checkpoint that is being put: what was read of it, in the tick of the call. */
interface PutDraft {
  place: RunPlace;
  checkpoint: Checkpoint;
  newVersions: ChannelVersions;
  /** What the ranges in `values` belong to. */
  generation: string;
  values: ReadonlyMap<string, ValueDraft>;
  tags: (readonly [key: string, text: string])[];
  isDetached: boolean;
  /** Of a checkpoint that it stands beside. */
  isCopy: boolean;
  /** The parent was read as the newest one. */
  followsNewest: boolean;
}

/** Keeps the checkpoints of LangGraph's runs with the conversations of a memory. Made by `createCheckpointer`. */
export class MemoryCheckpointer extends BaseCheckpointSaver<number> {
  protected readonly memory: Memory;
  protected readonly options: CheckpointerOptions;
  readonly #unknown: UnknownValues;
  readonly #heads = new Heads();
  readonly #known = new KnownElements();
  readonly #marks = new ReadMarks();
  /** Puts under way, by space: writes of a step wait for the checkpoint they belong to. */
  readonly #putting = new Map<string, Promise<unknown>>();

  constructor(memory: Memory, options: CheckpointerOptions = {}) {
    super();
    this.memory = memory;
    this.options = options;
    this.#unknown = options.unknownValues ?? "plain";
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const place = placeOf(config, this.options.identify);
    if (place === null) return undefined;
    const { ref, space, checkpoint: id, thread } = place;
    const row = await this.memory.checkpoints.read(ref, { space, ...(id === undefined ? {} : { id }) });
    if (space === "") {
      if (id === undefined) this.#marks.expect(ref.id, row?.id);
      else this.#marks.choose(ref.id, id);
    }
    return row === null ? undefined : this.#open(row, thread, true);
  }

  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const configurable: Record<string, unknown> = config.configurable ?? {};
    const place = placeOf(config, this.options.identify);
    const { checkpoint_ns: space } = configurable;
    const before: unknown = options.before?.configurable?.checkpoint_id;
    const tags = Object.entries(options.filter ?? {}).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, encode(value, this.#unknown)]],
    );
    const subject = place === null ? this.#subjectOf(config) : place.ref.subject;
    const query = {
      ...(place === null ? {} : { conversation: place.ref.id }),
      ...(subject === undefined ? {} : { subject }),
      ...(typeof space === "string" ? { space } : {}),
      ...(place?.checkpoint === undefined ? {} : { id: place.checkpoint }),
      ...(typeof before === "string" ? { before } : {}),
      ...(tags.length === 0 ? {} : { tags }),
    };
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for (let after: { id: string; conversation: string; space: string } | undefined; left > 0; ) {
      const limit = Math.min(left, PAGE);
      const rows = await this.memory.checkpoints.list({ ...query, ...(after === undefined ? {} : { after }), limit });
      for (const row of rows) yield await this.#open(row, place?.thread ?? row.conversation, false);
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return;
      left -= rows.length;
      after = { id: last.id, conversation: last.conversation, space: last.space };
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const place = requirePlace(config, this.options.identify);
    await this.#put(this.#draft(place, checkpoint, metadata, newVersions, false));
    return configOf(place.thread, place.space, checkpoint.id);
  }

  /** Keeps a checkpoint that comes from elsewhere: whole, and whether or not its parent is there. */
  protected async adopt(tuple: CheckpointTuple): Promise<void> {
    const { checkpoint, parentConfig, metadata = { source: "update", step: -1, parents: {} } } = tuple;
    const { checkpoint: _own, ...place } = requirePlace(tuple.config, this.options.identify);
    const parent: unknown = parentConfig?.configurable?.checkpoint_id;
    const follows = typeof parent === "string" ? { ...place, checkpoint: parent } : place;
    await this.#put(this.#draft(follows, checkpoint, metadata, checkpoint.channel_versions, true));
    const byTask = new Map<string, PendingWrite[]>();
    for (const [task, channel, value] of tuple.pendingWrites ?? []) {
      byTask.set(task, [...(byTask.get(task) ?? []), [channel, value]]);
    }
    const config = configOf(place.thread, place.space, checkpoint.id);
    let nth = 0;
    for (const [task, writes] of byTask) {
      // A tuple doesn't tell the paths of its tasks, only their order: that is kept.
      await this.putWrites(config, writes, task, String(nth++).padStart(6, "0"));
    }
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    const { ref, space, checkpoint } = requirePlace(config, this.options.identify);
    if (checkpoint === undefined) {
      throw new MemoryError("INVALID_ARGUMENT", "Writes belong to a checkpoint: the config names no checkpoint_id.");
    }
    const rows = writes.map(([channel, value], position) => {
      const special = Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel] : undefined;
      const text = encode(value, this.#unknown);
      return { index: special ?? position, name: channel, text, replaces: special !== undefined };
    });
    // The checkpoint may be on its way.
    await this.#putting.get(spaceKey(ref.id, space));
    // The one that the run goes on from, though the conversation may have begun anew since.
    const generation = this.#heads.seenUnder(ref.id, space, checkpoint);
    await this.memory.checkpoints.putWrites(ref, {
      space,
      checkpoint,
      task: taskId,
      path: taskPath,
      writes: rows,
      ...(generation === undefined ? {} : { generation }),
    });
  }

  override async deleteThread(threadId: string): Promise<void> {
    const { ref } = requirePlace({ configurable: { thread_id: threadId } }, this.options.identify);
    this.#heads.forget(ref.id);
    await this.memory.checkpoints.remove(ref);
  }

  /** As the base class tells it, in one trip instead of one for each step. */
  override async getDeltaChannelHistory({
    config,
    channels,
  }: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const place = placeOf(config, this.options.identify);
    if (channels.length === 0) return {};
    const histories =
      place === null
        ? []
        : await this.memory.checkpoints.history(place.ref, {
            space: place.space,
            ...(place.checkpoint === undefined ? {} : { id: place.checkpoint }),
            names: channels,
          });
    const result: Record<string, DeltaChannelHistory> = {};
    for (const name of channels) {
      const { steps = [], seed } = histories.find((history) => history.name === name) ?? {};
      const history: DeltaChannelHistory = {
        writes: steps.flatMap((step: PendingWriteRow[]) => toPendingWrites(step)),
      };
      if (seed !== undefined) {
        const { kinds } = readBody(seed.body);
        history.seed = readValue(seed.value, Object.hasOwn(kinds, name) ? kinds[name] : undefined);
      }
      setOwn(result, name, history);
    }
    return result;
  }

  /** Who asks, where no thread is named. */
  #subjectOf(config: RunnableConfig): string | undefined {
    // A place needs a thread; only the subject of this one is looked at.
    const configurable = { ...config.configurable, thread_id: "any" };
    return placeOf({ ...config, configurable }, this.options.identify)?.ref.subject;
  }

  async #open(row: CheckpointRow, thread: string, learns: boolean): Promise<CheckpointTuple> {
    const { tuple, body } = toTuple(row, thread, learns ? this.#known : undefined);
    if (learns) {
      const { channel_versions: versions } = body.checkpoint;
      this.#heads.set(row.conversation, row.space, headOf(row, { versions: { ...versions }, kinds: body.kinds }));
    }
    if (tuple.checkpoint.v < 4 && row.parent !== undefined) await this.#moveSends(tuple, row);
    return tuple;
  }

  /** Versions before 4 kept sends with the checkpoint that they were made after. */
  async #moveSends({ checkpoint }: CheckpointTuple, row: CheckpointRow): Promise<void> {
    const parent = await this.memory.checkpoints.read(
      { id: row.conversation },
      { space: row.space, ...(row.parent === undefined ? {} : { id: row.parent }) },
    );
    const sends = toPendingWrites((parent?.writes ?? []).filter(({ name }) => name === TASKS));
    checkpoint.channel_values[TASKS] = sends.map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  #draft(
    place: RunPlace,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
    isDetached: boolean,
  ): PutDraft {
    const parent = place.checkpoint;
    const isRoot = place.space === "" && !isDetached;
    return {
      place,
      checkpoint,
      newVersions,
      isDetached,
      isCopy: metadata.source === "fork",
      followsNewest: isRoot && this.#marks.take(place.ref.id, parent),
      tags: Object.entries(metadata).flatMap(([key, value]): [string, string][] =>
        value === undefined ? [] : [[key, encode(value, this.#unknown)]],
      ),
      ...this.#draftValues(checkpoint, newVersions, this.#heads.generation(place.ref.id)),
    };
  }

  #draftValues(
    { channel_values: values }: Checkpoint,
    newVersions: ChannelVersions,
    generation: string,
  ): Pick<PutDraft, "generation" | "values"> {
    const drafts = new Map<string, ValueDraft>();
    for (const name of Object.keys(newVersions)) {
      // One that is new and has no value is empty.
      if (!Object.hasOwn(values, name)) continue;
      drafts.set(name, draftValue(name, values[name], { generation, known: this.#known, unknown: this.#unknown }));
    }
    return { generation, values: drafts };
  }

  async #put(draft: PutDraft): Promise<void> {
    const key = spaceKey(draft.place.ref.id, draft.place.space);
    const before = this.#putting.get(key);
    // One that failed has told its own caller.
    const running = (async () => {
      await before?.catch(() => undefined);
      await this.#write(draft);
    })();
    const settled = running.catch(() => undefined);
    this.#putting.set(key, settled);
    try {
      await running;
    } finally {
      if (this.#putting.get(key) === settled) this.#putting.delete(key);
    }
  }

  async #write(given: PutDraft): Promise<void> {
    const { ref, space, checkpoint: parent } = given.place;
    let draft = given;
    let followsNewest = draft.followsNewest;
    for (let tries = 1; ; tries++) {
      const { values, generation, kinds, held, drafts } = await this.#gather(draft);
      const { id, channel_values: _values, ...rest } = draft.checkpoint;
      const commit = await this.memory.checkpoints.put(ref, {
        space,
        id,
        values,
        tags: draft.tags,
        body: writeBody({ checkpoint: rest, kinds }, this.#unknown),
        ...(parent === undefined ? {} : { parent }),
        ...(generation === "" ? {} : { generation }),
        ...(followsNewest ? { ifNewest: true } : {}),
        ...(draft.isDetached ? { detached: true } : {}),
      });
      if (commit.status === "stored") {
        this.#learn({ ...draft, values: drafts }, commit, held);
        if (space === "" && !draft.isDetached) this.#marks.expect(ref.id, id);
        return;
      }
      if (commit.status === "late") {
        // The conversation was erased or deleted under the run: nothing brings it back, and the run may end in peace.
        if (commit.gone) return;
        throw new MemoryError(
          "NOT_FOUND",
          "The checkpoint that the run goes on from isn't there any more: it was pruned, or never stored. Begin the run again from the newest one.",
          { details: { checkpoint: parent ?? "" } },
        );
      }
      if (commit.status === "behind") {
        const { onFork } = this.options;
        if (onFork === undefined) throw concurrent();
        onFork({
          threadId: draft.place.thread,
          checkpointId: id,
          ...(parent === undefined ? {} : { parentId: parent }),
        });
        followsNewest = false;
        continue;
      }
      // Elements were removed since they were read: what is known of them is void.
      if (tries >= MOST_TRIES) throw concurrent();
      this.#heads.forget(ref.id);
      draft = { ...draft, ...this.#draftValues(draft.checkpoint, draft.newVersions, "") };
    }
  }

  /** The values of a checkpoint: new ones as they were drafted, the others from where they stand in the parent. */
  async #gather(draft: PutDraft): Promise<{
    values: CheckpointValueWrite[];
    generation: string;
    kinds: Record<string, ListKind>;
    held: Map<string, HeldValue>;
    drafts: PutDraft["values"];
  }> {
    const { place, checkpoint, newVersions } = draft;
    const carried = Object.keys(checkpoint.channel_versions).filter((name) => !Object.hasOwn(newVersions, name));
    const head = carried.length === 0 || draft.isDetached ? undefined : await this.#headOf(place);
    const generation = head?.generation ?? draft.generation;
    let drafts = draft.values;
    if (generation !== draft.generation && hasRanges(drafts)) {
      drafts = this.#draftValues(checkpoint, newVersions, generation).values;
    }
    const values: CheckpointValueWrite[] = [];
    const kinds: Record<string, ListKind> = {};
    const held = new Map<string, HeldValue>();
    const copies: Record<string, number | string> = {};
    for (const name of carried) {
      const version = checkpoint.channel_versions[name];
      if (draft.isCopy && version !== undefined && head?.versions[name] !== version) {
        // It goes beside the checkpoint that it is of, and its values are those that it holds: the same version of another
        // branch may hold others.
        setOwn(copies, name, version);
        continue;
      }
      const value = await this.#carried(draft, name, head, generation);
      if (value === undefined) continue;
      held.set(name, value);
      values.push({ name, value: value.value });
      if (value.kind !== undefined) setOwn(kinds, name, value.kind);
    }
    drafts = new Map([...drafts, ...this.#draftValues(checkpoint, copies, generation).values]);
    for (const [name, { write, kind }] of drafts) {
      values.push(write);
      if (kind !== undefined) setOwn(kinds, name, kind);
    }
    return { values, generation, kinds, held, drafts };
  }

  /** Where the value of a channel that has not changed stands: in the parent, or in another that had the same version. */
  async #carried(
    { place, checkpoint }: PutDraft,
    name: string,
    head: Head | undefined,
    generation: string,
  ): Promise<HeldValue | undefined> {
    const version = checkpoint.channel_versions[name];
    if (head !== undefined && head.versions[name] === version) return head.values.get(name);
    for (const other of this.#heads.recent(place.ref.id, place.space)) {
      if (other.generation === generation && other.versions[name] === version) return other.values.get(name);
    }
    const rows = await this.memory.checkpoints.list({
      conversation: place.ref.id,
      space: place.space,
      limit: PAGE,
      heads: true,
    });
    for (const row of rows) {
      const { checkpoint: stored, kinds } = readBody(row.body);
      const found = headOf(row, { versions: stored.channel_versions, kinds });
      if (found.generation === generation && found.versions[name] === version) return found.values.get(name);
    }
    return undefined;
  }

  async #headOf({ ref, space, checkpoint: id }: RunPlace): Promise<Head | undefined> {
    if (id === undefined) return undefined;
    const known = this.#heads.get(ref.id, space, id);
    if (known !== undefined) return known;
    const row = await this.memory.checkpoints.read(ref, { space, id, heads: true });
    if (row === null) return undefined;
    const { checkpoint, kinds } = readBody(row.body);
    const head = headOf(row, { versions: checkpoint.channel_versions, kinds });
    this.#heads.set(ref.id, space, head);
    return head;
  }

  #learn(
    { place, checkpoint, values }: PutDraft,
    commit: { generation: string; lists: { name: string; ranges: readonly (readonly [number, number])[] }[] },
    held: Map<string, HeldValue>,
  ): void {
    const lists = new Map(commit.lists.map(({ name, ranges }) => [name, ranges]));
    const all = new Map(held);
    for (const [name, { write, kind, looked }] of values) {
      const ranges = lists.get(name);
      all.set(name, { value: ranges ?? String(write.value), ...(kind === undefined ? {} : { kind }) });
      if (looked !== undefined && ranges !== undefined) {
        this.#known.learn(listKey(commit.generation, name), looked, ranges);
      }
    }
    this.#heads.set(place.ref.id, place.space, {
      id: checkpoint.id,
      generation: commit.generation,
      versions: { ...checkpoint.channel_versions },
      values: all,
    });
  }
}

const hasRanges = (drafts: ReadonlyMap<string, ValueDraft>): boolean =>
  [...drafts.values()].some(({ write }) => typeof write.value !== "string" && write.value.some(Array.isArray));

const concurrent = (): MemoryError =>
  new MemoryError(
    "VERSION_CONFLICT",
    "Another run went on from the same checkpoint of this conversation meanwhile: from here on nothing of this run is kept. Wait for the other one and invoke again; runs that may go side by side need a thread each, or the option onFork.",
  );
