import type { MessageList } from "@mastra/core/agent/message-list";
import {
  type Conversation,
  createPromptFitter,
  createResultKeeper,
  createTurnRecorder,
  type Json,
  type MessageInput,
  messageText,
  type OpenTurn,
  type Part,
  type PromptFitter,
  type Report,
  type ResultKeeper,
  type TurnRecorder,
} from "@throughline/core";
import { type PromptMessage, promptGroups, toPromptMessages } from "./convert/prompt-groups.ts";
import { historyRows, knownRows } from "./convert/run-input.ts";
import {
  convertEach,
  errorOf,
  isAbort,
  isWaiting,
  statusOf,
  trueRows,
  withApproval,
  withoutAnswer,
} from "./convert/run-rows.ts";
import type { ToRowsOptions } from "./convert/to-rows.ts";
import type { MemorySource } from "./identify.ts";

/** Marks the memory's block among an agent's system messages. */
const TAG = "throughline";

/** One run of an agent, recorded as one turn whichever of its ends comes first. */
export class MemoryRun {
  readonly turn: OpenTurn;
  /** Whose memory takes part. */
  readonly source: MemorySource;
  /** The agent that runs. */
  readonly agent: string | undefined;
  signal: AbortSignal | undefined;
  tools: Readonly<Record<string, unknown>> = {};
  #list: MessageList | undefined;
  readonly #recorder: TurnRecorder | null;
  readonly #report: Report;
  readonly #block: string;
  readonly #isNested: boolean;
  /** Large tool results, for the model and the record. */
  readonly #results: ResultKeeper;
  readonly #fit: PromptFitter<PromptMessage>;
  /** Ids under which the app gave what is stored under others. */
  #known: ReadonlySet<string> = new Set();
  /** What has been streamed of the step that runs. */
  #partial: { id: string; part: Extract<Part, { type: "text" | "reasoning" }> }[] = [];

  /** Made by this class, and not a copy that a store has made of one. */
  static isRun(value: unknown): value is MemoryRun {
    return typeof value === "object" && value !== null && #partial in value;
  }

  /** A run that only reads isn't recorded. */
  constructor(
    turn: OpenTurn,
    options: { source: MemorySource; agent: string | undefined; report: Report; isRead: boolean; isNested: boolean },
  ) {
    this.turn = turn;
    this.source = options.source;
    this.agent = options.agent;
    this.#report = options.report;
    this.#isNested = options.isNested;
    this.#recorder = options.isRead ? null : createTurnRecorder(turn, options.report);
    this.#results = createResultKeeper(turn, options.report, () => Object.hasOwn(this.tools, "get_artifact"));
    this.#fit = createPromptFitter({
      turn,
      results: this.#results,
      report: options.report,
      read: promptGroups,
      write: toPromptMessages,
    });
    const told = turn.messages.filter(({ role, turn: of }) => role === "system" && of !== undefined).map(messageText);
    this.#block = [...told, turn.system].filter(Boolean).join("\n\n");
  }

  /** The conversation, bound to the turn: what is remembered through it names the turn. */
  get conversation(): Conversation {
    return this.turn.conversation;
  }

  /** Does a call of this run wait for its result now? */
  isInTool(): boolean {
    return isWaiting(convertEach(this.#list?.get.response.db() ?? [], () => {}));
  }

  /** Nothing of it goes into what a suspended run, or another one, is kept as. */
  toJSON(): undefined {
    return undefined;
  }

  /** Puts the history before what the app gave, and takes out of that what is history already. */
  prepare(list: MessageList, options: ToRowsOptions): void {
    // An agent that another one asks is given what it needs by that one.
    if (this.#isNested) return;
    const stored = new Set([...this.turn.messages, ...this.turn.fresh].map(({ id }) => id));
    const given = convertEach(list.get.input.db(), () => {}).map(({ id = "" }) => id);
    this.#known = new Set(given.filter((id) => !stored.has(id)));
    const known = knownRows(list.get.input.db(), this.turn);
    if (known.length > 0) list.removeByIds(known);
    const rows = historyRows(this.turn, list.get.input.db(), { ...options, onUnsupported: this.#report });
    if (rows.length > 0) list.add(rows, "memory");
  }

  /** A step begins: the block is shown to the model's next call. */
  show(list: MessageList): void {
    this.#list = list;
    this.#partial = [];
    list.clearSystemMessages(TAG);
    // An agent that another one asks may have that one's system messages, handed on by Mastra.
    const isThere = list.getAllSystemMessages().some(({ content }) => content === this.#block);
    if (this.#block !== "" && !isThere) list.addSystem(this.#block, TAG);
  }

  /**
   * What the model is given: large results as previews, and what has grown compacted. Throws `CONTEXT_OVERFLOW` where it
   * can't be brought under the model's budget; the run is recorded as failed then.
   */
  async fitted(prompt: readonly PromptMessage[], list: MessageList | undefined): Promise<PromptMessage[]> {
    const system = prompt.filter(({ role }) => role === "system");
    const said = prompt.filter(({ role }) => role !== "system");
    const words = system.map(({ content }) => (typeof content === "string" ? content : "")).join("\n\n");
    try {
      return [...system, ...(await this.#fit(said, { system: words, tools: this.#toolNames() }))];
    } catch (error) {
      if (list !== undefined) await this.broke(list, error, false);
      throw error;
    }
  }

  /** What of the tools is sent with every call, as far as it is told here. */
  #toolNames(): Json {
    return Object.entries(this.tools).map(([name, tool]) => ({
      name,
      description: String((tool as { description?: unknown } | null)?.description ?? ""),
    }));
  }

  /** A step has ended: the block isn't in what a run that waits is kept as. */
  stepped(list: MessageList): void {
    list.clearSystemMessages(TAG);
  }

  /** A piece of the running step. */
  heard(type: "text" | "reasoning", { id, text }: { id: string; text: string }): void {
    const last = this.#partial.at(-1);
    if (last?.id === id && last.part.type === type) last.part.text += text;
    else this.#partial.push({ id, part: { type, text } });
  }

  /** May one of these calls stop the run until a person answers? So do tools that say so, agents and workflows. */
  maySuspend(calls: readonly { toolName: string }[]): boolean {
    // Mastra marks such tools, and its types don't say so.
    return calls.some(
      ({ toolName }) =>
        /^(agent|workflow)-/.test(toolName) ||
        (this.tools[toolName] as { hasSuspendSchema?: boolean } | undefined)?.hasSuspendSchema === true,
    );
  }

  /** The run may wait for a person from here on, in whichever process it goes on. */
  async suspended(list: MessageList, approval?: string): Promise<void> {
    const messages = this.#messages(list);
    await this.#end("paused", approval === undefined ? messages : withApproval(messages, approval));
  }

  async finished(list: MessageList, finishReason: string): Promise<void> {
    const messages = this.#messages(list);
    const status = statusOf(finishReason, messages, this.signal?.aborted ?? false);
    const rest = status === "completed" || status === "paused" ? [] : this.#unfinished(messages);
    await this.#end(status, [...messages, ...rest], errorOf(list.get.response.db()));
    // Rejects where the memory is strict.
    await this.#recorder?.recorded;
  }

  /** Another processor broke the run or stopped it. What it kept back of the answer was never said. */
  async broke(list: MessageList, error: unknown, isAnswerBlocked: boolean): Promise<void> {
    const all = this.#messages(list);
    const messages = isAnswerBlocked ? withoutAnswer(all) : [...all, ...this.#unfinished(all)];
    const isAborted = this.signal?.aborted || isAbort(error);
    await this.#end(isAborted ? "aborted" : "failed", messages, error);
  }

  async #end(status: Parameters<TurnRecorder["end"]>[0], messages: readonly MessageInput[], error?: unknown) {
    const recorder = this.#recorder;
    if (recorder === null) return;
    // After a pause, or a guardrail that lets the model try again, the same turn goes on.
    if (recorder.ended !== null) recorder.again();
    await recorder.end(status, await this.#results.offload(messages), error);
  }

  /** What is new in the list, without what the turn began with. */
  #messages(list: MessageList): MessageInput[] {
    const own = new Set([...list.get.input.db(), ...list.get.response.db()].map(({ id }) => id));
    const rows = trueRows(list.get.all.db().filter(({ id }) => own.has(id)));
    const begun = new Set(this.turn.ended ? [] : this.turn.fresh.map(({ id }) => id));
    return convertEach(rows, this.#report).filter(({ id = "" }) => !begun.has(id) && !this.#known.has(id));
  }

  /** The words of an answer that never came to its end, where the list lacks them. */
  #unfinished(messages: readonly MessageInput[]): MessageInput[] {
    const parts = this.#partial.map(({ part }) => part).filter(({ text }) => text !== "");
    const words = messageText({ parts });
    const last = messages.findLast(({ role }) => role === "assistant");
    if (parts.length === 0 || (last !== undefined && messageText({ parts: last.parts ?? [] }).endsWith(words)))
      return [];
    return [{ role: "assistant", parts }];
  }
}
