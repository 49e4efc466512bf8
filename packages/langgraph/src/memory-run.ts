import type { BaseMessage } from "@langchain/core/messages";
import { type Conversation, type HostReader, HostRun, type Message, type MessageInput } from "@throughline/core";
import { type ActionRequest, type Decision, withWord } from "./convert/approvals.ts";
import { toolNames } from "./convert/from-langchain-messages.ts";
import { convertEach, isMarked, marked } from "./convert/run-messages.ts";
import { type RunPrompt, runPrompt } from "./convert/run-prompt.ts";
import type { MemorySettings } from "./memory-settings.ts";

const READER: HostReader<BaseMessage> = {
  id(message) {
    // The graph would give it one later, and keeps the one that it has.
    if (message.id === undefined) message._updateId(crypto.randomUUID());
    return message.id as string;
  },
  convert: (messages, all, report) => convertEach(messages, toolNames(all), report).map(marked),
  canHold: ({ messages }) => messages.some(isMarked),
};

/** One run of a graph. */
export class MemoryRun extends HostRun<BaseMessage> {
  /** The middleware takes part: it tells of the agent's end, and of its model's words. */
  isAgent = false;
  /** The calls that the graph waits for a person's word about. */
  asked: readonly ActionRequest[] = [];
  /** The word that the run was resumed with. */
  decisions: readonly Decision[] = [];
  readonly #settings: MemorySettings;

  constructor(conversation: Conversation, settings: MemorySettings = {}) {
    super(conversation, READER, settings);
    this.#settings = settings;
  }

  /** What to show the model instead of these messages of the graph. */
  async prompt(messages: readonly BaseMessage[]): Promise<RunPrompt> {
    const opened = await this.opened();
    if (opened === null) return { system: "", messages: [...messages] };
    const { turn, anchor } = opened;
    const own = new Set([...turn.fresh.map(({ id }) => id), ...this.ownIds()]);
    const { history, replay } = this.#settings;
    const [keepState, exact] = [history === "state", replay === "exact"];
    const preview = await this.previews();
    return runPrompt({ turn, own, anchor, messages, keepState, exact, preview, report: this.report });
  }

  protected override arrange(messages: MessageInput[], stored: readonly Message[]): MessageInput[] {
    return withWord(messages, { stored, asked: this.asked, decisions: this.decisions });
  }

  /** The conversation, bound to the turn under way: what is remembered through it names the turn. */
  async conversationOfTurn(): Promise<Conversation> {
    return (await this.opened())?.turn.conversation ?? this.conversation;
  }
}
