import type { Conversation, OpenTurn } from "../contract/conversation.ts";
import type { Message, MessageInput, ToolResultPart, Turn, TurnStatus } from "../contract/message.ts";
import type { MemoryError } from "../errors/memory-error.ts";
import { createReport, type Report } from "./create-report.ts";
import { createResultKeeper, type ResultKeeper } from "./create-result-keeper.ts";
import { createTurnRecorder, type TurnRecorder } from "./create-turn-recorder.ts";
import { isStop, waitingCalls } from "./run-end.ts";

/** How an adapter reads the messages of a host that keeps the history itself. */
export interface HostReader<HostMessage> {
  /** The message's id. One that has none is given one that the host keeps. */
  id(message: HostMessage): string;
  /** Messages in the neutral form, with their ids; what can't be carried is reported and left out. `all` are around them. */
  convert(messages: readonly HostMessage[], all: readonly HostMessage[], report: Report): MessageInput[];
  /** Can the host's own history hold this turn? One that another host recorded it can't, and so doesn't leave out. */
  canHold?(turn: Turn): boolean;
}

/** What is known of a run's turn once it is open. */
export interface OpenedRun {
  readonly turn: OpenTurn;
  /** Id of the host's message behind which this turn's begin; absent where all are. */
  readonly anchor: string | undefined;
}

interface Opened extends OpenedRun {
  readonly recorder: TurnRecorder;
  /** Ids of the messages before this turn's. */
  readonly past: ReadonlySet<string | undefined>;
  /** What is stored of a turn that goes on. */
  readonly stored: readonly Message[];
  /** Absent while nobody has told which tools the model has. */
  readonly results: ResultKeeper | undefined;
}

/**
 * For adapters of hosts that keep the history themselves and run in steps: one run, recorded as one turn whichever of its
 * ends comes first. The adapter hands over the host's whole list of messages as it grows.
 */
export class HostRun<HostMessage extends object> {
  readonly conversation: Conversation;
  protected readonly report: Report;
  readonly #reader: HostReader<HostMessage>;
  readonly #agentName: string | undefined;
  #opening: Promise<Opened> | null = null;
  /** What the run has come to, by id, and which of the host's messages that was. */
  readonly #own = new Map<string, MessageInput>();
  readonly #taken = new WeakSet<HostMessage>();
  /** Results of a step that may not finish. */
  #results: HostMessage[] = [];
  #words = "";
  #stop: TurnStatus | null = null;
  #writing: Promise<unknown> = Promise.resolve();
  #signal: AbortSignal | undefined;
  #tools: ReadonlySet<string> | undefined;
  readonly #onAbort = (): void => void this.broke(this.#signal?.reason);

  constructor(
    conversation: Conversation,
    reader: HostReader<HostMessage>,
    options: { agentName?: string | undefined; onError?: ((error: MemoryError) => void) | undefined } = {},
  ) {
    this.conversation = conversation;
    this.#reader = reader;
    this.#agentName = options.agentName;
    this.report = createReport(options.onError);
  }

  /**
   * Opens the turn with the host's messages, or takes in what has been said since. Throws what `begin` throws. Large
   * results are kept as artifacts where `tools` names what the model can call.
   */
  async see(
    messages: readonly HostMessage[],
    options: { model?: string; signal?: AbortSignal | undefined; tools?: ReadonlySet<string> } = {},
  ) {
    this.#tools = options.tools ?? this.#tools;
    this.#opening ??= this.#open(messages, options.model);
    const { recorder, anchor } = await this.#opening.catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    // Tried once more after a failure, or a second agent of the same run.
    if (this.#stop === "failed" || this.#stop === "completed") {
      recorder.again();
      this.#stop = null;
      this.#own.delete("");
    }
    this.#listen(options.signal);
    const at = messages.findLastIndex((message) => this.#reader.id(message) === anchor);
    // Where somebody has taken the anchor out, nothing tells this turn's messages from others.
    if (anchor === undefined || at >= 0) this.#take(messages.slice(at + 1), messages);
  }

  async #open(messages: readonly HostMessage[], model: string | undefined): Promise<Opened> {
    for (const message of messages) this.#reader.id(message);
    const inputs = this.#reader.convert(messages, messages, this.report);
    // Without the run's signal: a person who goes away has still said what they said.
    const turn = await this.conversation.begin({
      messages: inputs,
      canHold: (stored) => this.#reader.canHold?.(stored) ?? true,
      ...(this.#agentName === undefined ? {} : { agentName: this.#agentName }),
      ...(model === undefined ? {} : { model }),
    });
    // Of a turn that goes on everything, since what a step had left out may stand before what is stored.
    const stored = turn.resumed ? turn.messages.filter((message) => (message.turn ?? turn.id) === turn.id) : [];
    const own = new Set<string | undefined>([...turn.fresh, ...stored].map(({ id }) => id));
    const first = inputs.findIndex(({ id }) => own.has(id));
    const before = first < 0 ? inputs : inputs.slice(0, first);
    const past = new Set(before.map(({ id }) => id));
    const recorder = createTurnRecorder(turn, this.report);
    const results =
      this.#tools && createResultKeeper(turn, this.report, () => this.#tools?.has("get_artifact") ?? false);
    await results?.offloadFresh();
    return { turn, recorder, results, stored, anchor: before.at(-1)?.id, past };
  }

  /** What stands for a large result of this turn in the prompt, by the id of its call; `undefined` for any other. */
  protected async previews(): Promise<(callId: string) => ToolResultPart | undefined> {
    const results = (await this.#opening)?.results;
    await results?.offload([...this.#own.values()]);
    return (callId) => results?.preview(callId);
  }

  /** This turn's messages as they are recorded; `stored` is what is there of a turn that goes on. */
  protected arrange(messages: MessageInput[], _stored: readonly Message[]): MessageInput[] {
    return messages;
  }

  /** Takes in messages of this turn, each once, and again where it was changed. */
  #take(messages: readonly HostMessage[], all: readonly HostMessage[] = messages): void {
    const news = messages.filter((message) => !this.#taken.has(message));
    if (news.length === 0) return;
    for (const message of news) {
      this.#reader.id(message);
      this.#taken.add(message);
    }
    for (const input of this.#reader.convert(news, all, this.report)) this.#own.set(input.id ?? "", input);
    this.#words = "";
  }

  /** The model's answer, before the host has it. Its calls may wait for a person, in any process: that is written. */
  async answered(message: HostMessage): Promise<void> {
    this.#take([message]);
    if (this.isWaiting()) await this.#write("paused");
  }

  /** What a step has added to the host's messages. */
  async added(messages: readonly HostMessage[]): Promise<void> {
    const past = (await this.#opening)?.past;
    if (past === undefined || this.#stop !== null) return;
    this.#take(messages.filter((message) => !past.has(this.#reader.id(message))));
  }

  /** A tool's result of a step that may not finish; kept where the run is cut short. */
  heardResult(message: HostMessage): void {
    this.#results.push(message);
  }

  /** The words of an answer so far; kept where the run is cut short. */
  heardWords(words: string): void {
    this.#words = words;
  }

  /** Does a call of this turn wait for an answer? */
  isWaiting(): boolean {
    return waitingCalls(this.#own.values()).size > 0;
  }

  /** The turn, once it is open; `null` before. */
  async opened(): Promise<OpenedRun | null> {
    return this.#opening;
  }

  /** Ids of this turn's messages so far. */
  ownIds(): string[] {
    return [...this.#own.keys()];
  }

  /** The agent has come to its end. Calls without an answer wait for the client. */
  async finished(messages: readonly HostMessage[]): Promise<void> {
    await this.see(messages);
    await this.#end(this.isWaiting() ? "paused" : "completed");
  }

  /** The run stopped where it can go on later. */
  async paused(): Promise<void> {
    await this.#end("paused");
  }

  /** The host has stopped, with these messages in the end. What said so before is the end. */
  async stopped(messages: readonly HostMessage[], isInterrupted: boolean): Promise<void> {
    if (this.#stop !== null || messages.length === 0) {
      await this.#writing;
      return;
    }
    await this.see(messages);
    const isAnswered = [...this.#own.values()].at(-1)?.role === "assistant" && !this.isWaiting();
    await this.#end(isInterrupted || !isAnswered ? "paused" : "completed");
  }

  /** The run was stopped or broke. Where nothing of the memory came to its turn, there is what the person had `said`. */
  async broke(error: unknown, signal = this.#signal, said: readonly HostMessage[] = []): Promise<void> {
    // What keeps a turn from being opened the run has been told, or will be.
    if (this.#opening === null && said.length > 0) await this.see(said).catch(() => {});
    await this.#end(signal?.aborted || isStop(error) ? "aborted" : "failed", error);
  }

  async #end(status: TurnStatus, error?: unknown): Promise<void> {
    if (this.#stop !== null || this.#opening === null) {
      // Who tells of the same end once more may let the app go on: by then it is written.
      await this.#writing;
      return;
    }
    this.#stop = status;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    if (status === "aborted" || status === "failed") this.#takeCutShort();
    await this.#write(status, error);
  }

  /** What there is of a step that did not finish. */
  #takeCutShort(): void {
    const waiting = waitingCalls(this.#own.values());
    const results = this.#results.filter((message) => {
      const [input] = this.#reader.convert([message], [message], this.report);
      return input?.parts?.some((part) => part.type === "tool-result" && waiting.has(part.callId));
    });
    const words = this.#words;
    this.#take(results);
    if (words !== "") this.#own.set("", { role: "assistant", content: words });
  }

  /** Writes the turn as it stands, one write after the other. After a pause it goes on. */
  #write(status: TurnStatus, error?: unknown): Promise<unknown> {
    this.#writing = this.#writing.then(async () => {
      const opened = await this.#opening;
      if (opened === null) return;
      const { turn, recorder, stored, results } = opened;
      const begun = new Set(turn.ended ? [] : turn.fresh.map(({ id }) => id));
      const own = this.arrange([...this.#own.values()], stored);
      const messages = own.filter(({ id }) => id === undefined || !begun.has(id));
      if (recorder.ended === "paused") recorder.again();
      await recorder.end(status, (await results?.offload(messages)) ?? messages, error);
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
