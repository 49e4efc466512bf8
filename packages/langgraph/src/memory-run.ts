import type { BaseMessage } from "@langchain/core/messages";
import {
  type Conversation,
  createReport,
  createTurnRecorder,
  type MessageInput,
  messageText,
  type OpenTurn,
  type TurnRecorder,
  type TurnStatus,
} from "@throughline/core";
import { toolNames } from "./convert/from-langchain-messages.ts";
import { behind, convertEach, isAbort, isWaiting, leadingSystem } from "./convert/run-messages.ts";
import { toLangChainMessages } from "./convert/to-langchain-messages.ts";
import type { MemorySettings } from "./memory-settings.ts";

/** What the model is shown. */
export interface RunPrompt {
  /** The memory block for the system part; empty when there is nothing to say. */
  system: string;
  messages: BaseMessage[];
}

interface Opened {
  turn: OpenTurn;
  recorder: TurnRecorder;
  /** Id of the message behind which the first new one stands. */
  anchor: string | undefined;
}

/** One run of a graph, recorded as one turn whichever of its ends comes first. */
export class MemoryRun {
  readonly conversation: Conversation;
  /** The middleware takes part: it tells of the agent's end, and of its model's words. */
  isAgent = false;
  readonly #settings: MemorySettings;
  readonly #report: ReturnType<typeof createReport>;
  #opening: Promise<Opened> | null = null;
  /** What the run has come to, by id. */
  readonly #own = new Map<string, MessageInput>();
  readonly #converted = new WeakSet<BaseMessage>();
  #partial = "";
  #stop: { status: TurnStatus; error?: unknown } | null = null;
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
    if (recorder.ended === "failed" || recorder.ended === "completed") this.#again(recorder);
    this.#listen(options.signal);
    this.#keep(behind(messages, anchor) ?? [], messages);
  }

  async #open(messages: readonly BaseMessage[], model: string | undefined): Promise<Opened> {
    const { agentName } = this.#settings;
    const inputs = convertEach(messages, toolNames(messages), this.#report);
    // Without the run's signal: a person who goes away has still said what they said.
    const turn = await this.conversation.begin({ messages: inputs, agentName, model });
    // Of a turn that goes on everything, since what a step had left out may stand before what is stored.
    const stored = turn.resumed ? turn.messages.filter((message) => (message.turn ?? turn.id) === turn.id) : [];
    const own = new Set<string | undefined>([...turn.fresh, ...stored].map(({ id }) => id));
    const first = inputs.findIndex(({ id }) => id === undefined || own.has(id));
    const anchor = first < 0 ? inputs.at(-1) : inputs[first - 1];
    return { turn, recorder: createTurnRecorder(turn, this.#report), anchor: anchor?.id };
  }

  /** Takes in messages of this turn, each once, and again where its content was changed. */
  #keep(messages: readonly BaseMessage[], all: readonly BaseMessage[]): void {
    const news = messages.filter((message) => !this.#converted.has(message));
    for (const message of news) {
      // The graph would give it one later, and keeps the one that it has.
      if (message.id === undefined) message._updateId(crypto.randomUUID());
      this.#converted.add(message);
    }
    for (const input of convertEach(news, toolNames(all), this.#report)) this.#own.set(input.id as string, input);
    if (news.length > 0) this.#partial = "";
  }

  /** The model's answer, before the graph has it. Its calls may wait for a person, in any process: that is written. */
  async answered(message: BaseMessage): Promise<void> {
    this.#keep([message], [message]);
    if (isWaiting(this.#own.values())) await this.#write("paused");
  }

  /** A tool's result of a step that may not finish. */
  saw(message: BaseMessage): void {
    if (this.#opening !== null && this.#stop === null) this.#keep([message], [message]);
  }

  /** The words of an answer so far. */
  hear(text: string): void {
    this.#partial = text;
  }

  /** What to show the model instead of these messages of the graph. */
  async prompt(messages: readonly BaseMessage[]): Promise<RunPrompt> {
    const opened = await this.#opening;
    if (opened === null) return { system: "", messages: [...messages] };
    const { turn, anchor } = opened;
    const own = behind(messages, anchor);
    const ownIds = new Set<string | undefined>(
      [...turn.fresh, ...(own ?? []), ...this.#own.values()].map(({ id }) => id),
    );
    const stored = turn.messages.filter(({ id }) => !ownIds.has(id));
    const told = stored.filter(({ role }) => role === "system").map((message) => messageText(message));
    const system = [...told, turn.system].filter(Boolean).join("\n\n");
    if (own === null || this.#settings.history === "state") return { system, messages: [...messages] };
    const inState = new Map(messages.map((message) => [message.id, message]));
    const past = stored.filter(({ role }) => role !== "system").map((message) => inState.get(message.id) ?? message);
    return { system, messages: [...leadingSystem(messages), ...this.#toHost(past), ...own] };
  }

  /** What the state holds as it is there, the rest from the memory. */
  #toHost(past: readonly (BaseMessage | OpenTurn["messages"][number])[]): BaseMessage[] {
    const isStored = (message: (typeof past)[number]): message is OpenTurn["messages"][number] => "parts" in message;
    const options = { exact: this.#settings.replay === "exact", onUnsupported: this.#report };
    const made = toLangChainMessages(past.filter(isStored), options);
    if (made.length === past.length) return made;
    return past.flatMap((message) => (isStored(message) ? toLangChainMessages([message], options) : [message]));
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
    if (this.#opening !== null) await this.#end("paused");
  }

  /** The graph has stopped, with these messages in the end. What said so before is the end. */
  async stopped(messages: readonly BaseMessage[], isInterrupted: boolean): Promise<void> {
    if (this.#stop !== null || messages.length === 0) return;
    await this.see(messages);
    const hasAnswer = [...this.#own.values()].at(-1)?.role === "assistant" && !isWaiting(this.#own.values());
    await this.#end(isInterrupted || !hasAnswer ? "paused" : "completed");
  }

  /** The run was stopped or broke. */
  async broke(error: unknown, signal: AbortSignal | undefined = this.#signal): Promise<void> {
    if (this.#opening !== null) await this.#end(signal?.aborted || isAbort(error) ? "aborted" : "failed", error);
  }

  get ended(): boolean {
    return this.#stop !== null;
  }

  async #end(status: TurnStatus, error?: unknown): Promise<void> {
    if (this.#stop !== null) return;
    this.#stop = { status, error };
    this.#signal?.removeEventListener("abort", this.#onAbort);
    if (status !== "completed" && this.#partial !== "") {
      this.#own.set("partial", { role: "assistant", content: this.#partial });
    }
    await this.#write(status, error);
  }

  /** Writes the turn as it stands. After a pause it goes on. */
  async #write(status: TurnStatus, error?: unknown): Promise<void> {
    const { turn, recorder } = (await this.#opening) as Opened;
    const started = new Set(turn.ended ? [] : turn.fresh.map(({ id }) => id));
    const messages = [...this.#own.values()].filter(({ id }) => id === undefined || !started.has(id));
    if (recorder.ended === "paused") recorder.again();
    await recorder.end(status, messages, error);
    // An end that came while the pause was written.
    if (status === "paused" && this.#stop !== null && this.#stop.status !== "paused") {
      recorder.again();
      await recorder.end(this.#stop.status, messages, this.#stop.error);
    }
  }

  #again(recorder: TurnRecorder): void {
    recorder.again();
    this.#stop = null;
    this.#own.delete("partial");
  }

  #listen(signal: AbortSignal | undefined): void {
    if (signal === undefined || signal === this.#signal) return;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#signal = signal;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }
}
