import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import {
  type Conversation,
  createReport,
  createTurnRecorder,
  type MessageInput,
  type OpenTurn,
  type Report,
  type TurnRecorder,
  type TurnStatus,
} from "@throughline/core";
import { toolNames } from "./convert/from-langchain-messages.ts";
import { behind, convertEach, isAbort, isWaiting, openCalls } from "./convert/run-messages.ts";
import { type RunPrompt, runPrompt } from "./convert/run-prompt.ts";
import type { MemorySettings } from "./memory-settings.ts";

interface Opened {
  turn: OpenTurn;
  recorder: TurnRecorder;
  /** Id of the message behind which this turn's begin. */
  anchor: string | undefined;
  /** Ids of the messages before this turn's. */
  past: ReadonlySet<string | undefined>;
}

/** One run of a graph, recorded as one turn whichever of its ends comes first. */
export class MemoryRun {
  readonly conversation: Conversation;
  /** The middleware takes part: it tells of the agent's end, and of its model's words. */
  isAgent = false;
  readonly #settings: MemorySettings;
  readonly #report: Report;
  #opening: Promise<Opened> | null = null;
  /** What the run has come to, by id, and which of the graph's messages that was. */
  readonly #own = new Map<string, MessageInput>();
  readonly #taken = new WeakSet<BaseMessage>();
  /** Results of a step that may not finish. */
  #results: ToolMessage[] = [];
  #words = "";
  #stop: TurnStatus | null = null;
  #writing: Promise<unknown> = Promise.resolve();
  #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => void this.broke(this.#signal?.reason);

  constructor(conversation: Conversation, settings: MemorySettings = {}) {
    this.conversation = conversation;
    this.#settings = settings;
    this.#report = createReport(settings.onError);
  }

  /** Opens the turn with the graph's messages, or takes in what has been said since. */
  async see(messages: readonly BaseMessage[], options: { model?: string; signal?: AbortSignal | undefined } = {}) {
    this.#opening ??= this.#open(messages, options.model);
    const { recorder, anchor } = await this.#opening;
    // Tried once more after a failure, or a second agent of the same run.
    if (this.#stop === "failed" || this.#stop === "completed") {
      recorder.again();
      this.#stop = null;
      this.#own.delete("");
    }
    this.#listen(options.signal);
    this.#take(behind(messages, anchor) ?? [], messages);
  }

  async #open(messages: readonly BaseMessage[], model: string | undefined): Promise<Opened> {
    name(messages);
    const inputs = convertEach(messages, toolNames(messages), this.#report);
    // Without the run's signal: a person who goes away has still said what they said.
    const turn = await this.conversation.begin({ messages: inputs, agentName: this.#settings.agentName, model });
    // Of a turn that goes on everything, since what a step had left out may stand before what is stored.
    const stored = turn.resumed ? turn.messages.filter((message) => (message.turn ?? turn.id) === turn.id) : [];
    const own = new Set<string | undefined>([...turn.fresh, ...stored].map(({ id }) => id));
    const first = inputs.findIndex(({ id }) => own.has(id));
    const before = first < 0 ? inputs : inputs.slice(0, first);
    const past = new Set(before.map(({ id }) => id));
    return { turn, recorder: createTurnRecorder(turn, this.#report), anchor: before.at(-1)?.id, past };
  }

  /** Takes in messages of this turn, each once, and again where it was changed. */
  #take(messages: readonly BaseMessage[], all: readonly BaseMessage[] = messages): void {
    const news = messages.filter((message) => !this.#taken.has(message));
    if (news.length === 0) return;
    name(news);
    for (const message of news) this.#taken.add(message);
    for (const input of convertEach(news, toolNames(all), this.#report)) this.#own.set(input.id as string, input);
    this.#words = "";
  }

  get isOpen(): boolean {
    return this.#opening !== null;
  }

  /** The model's answer, before the graph has it. Its calls may wait for a person, in any process: that is written. */
  async answered(message: BaseMessage): Promise<void> {
    this.#take([message]);
    if (isWaiting(this.#own.values())) await this.#write("paused");
  }

  /** What a node has added to the state. */
  async added(messages: readonly BaseMessage[]): Promise<void> {
    const past = (await this.#opening)?.past;
    if (past !== undefined && this.#stop === null)
      this.#take(messages.filter(({ id }) => id === undefined || !past.has(id)));
  }

  /** A tool's result of a step that may not finish. */
  heardResult(message: ToolMessage): void {
    this.#results.push(message);
  }

  /** The words of an answer so far. */
  heardWords(words: string): void {
    this.#words = words;
  }

  /** What to show the model instead of these messages of the graph. */
  async prompt(messages: readonly BaseMessage[]): Promise<RunPrompt> {
    const opened = await this.#opening;
    if (opened === null) return { system: "", messages: [...messages] };
    const { turn, anchor } = opened;
    const own = new Set([...turn.fresh.map(({ id }) => id), ...this.#own.keys()]);
    const { history, replay } = this.#settings;
    const [keepState, exact] = [history === "state", replay === "exact"];
    return runPrompt({ turn, own, anchor, messages, keepState, exact, report: this.#report });
  }

  /** The conversation, bound to the turn under way: what is remembered through it names the turn. */
  async conversationOfTurn(): Promise<Conversation> {
    return (await this.#opening)?.turn.conversation ?? this.conversation;
  }

  /** The agent has come to its end. Calls without an answer wait for the client. */
  async finished(messages: readonly BaseMessage[]): Promise<void> {
    await this.see(messages);
    await this.#end(isWaiting(this.#own.values()) ? "paused" : "completed");
  }

  /** The run stopped where it can go on later. */
  async paused(): Promise<void> {
    await this.#end("paused");
  }

  /** The graph has stopped, with these messages in the end. What said so before is the end. */
  async stopped(messages: readonly BaseMessage[], isInterrupted: boolean): Promise<void> {
    if (this.#stop !== null || messages.length === 0) return;
    await this.see(messages);
    const isAnswered = [...this.#own.values()].at(-1)?.role === "assistant" && !isWaiting(this.#own.values());
    await this.#end(isInterrupted || !isAnswered ? "paused" : "completed");
  }

  /** The run was stopped or broke. */
  async broke(error: unknown, signal: AbortSignal | undefined = this.#signal): Promise<void> {
    await this.#end(signal?.aborted || isAbort(error) ? "aborted" : "failed", error);
  }

  async #end(status: TurnStatus, error?: unknown): Promise<void> {
    if (this.#stop !== null || this.#opening === null) return;
    this.#stop = status;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    if (status === "aborted" || status === "failed") {
      const open = openCalls(this.#own.values());
      this.#take(this.#results.filter(({ tool_call_id: call }) => open.has(call)));
      if (this.#words !== "") this.#own.set("", { role: "assistant", content: this.#words });
    }
    await this.#write(status, error);
  }

  /** Writes the turn as it stands, one write after the other. After a pause it goes on. */
  #write(status: TurnStatus, error?: unknown): Promise<unknown> {
    this.#writing = this.#writing.then(async () => {
      const { turn, recorder } = (await this.#opening) as Opened;
      const begun = new Set(turn.ended ? [] : turn.fresh.map(({ id }) => id));
      const messages = [...this.#own.values()].filter(({ id }) => id === undefined || !begun.has(id));
      if (recorder.ended === "paused") recorder.again();
      return recorder.end(status, messages, error);
    });
    return this.#writing;
  }

  #listen(signal: AbortSignal | undefined): void {
    if (signal === undefined || signal === this.#signal) return;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#signal = signal;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }
}

/** Ids for messages that have none: the graph would give them some later, and keeps what they have. */
function name(messages: readonly BaseMessage[]): void {
  for (const message of messages) if (message.id === undefined) message._updateId(crypto.randomUUID());
}
