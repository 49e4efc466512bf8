import type { Conversation, OpenTurn, Report } from "@throughline/core";
import type { ModelMessage } from "ai";
import { answersUnknown, approvalCalls, storedApprovals } from "./convert/from-model-messages.ts";
import { convertEach, newMessages } from "./convert/host-messages.ts";
import { storedPrompt } from "./convert/stored-prompt.ts";
import type { HostMessage } from "./convert/ui-messages.ts";
import type { MemorySettings } from "./run-options.ts";

/** A run that has begun: its turn, and what the model is shown. */
export interface BegunRun {
  turn: OpenTurn;
  /** Calls by the approvals that were asked for them. */
  approvals: ReadonlyMap<string, string>;
  /** What is stored. */
  history: ModelMessage[];
  /** What is new, as the app wrote it. */
  own: ModelMessage[];
  /** What is known, for the instructions. */
  block: string;
}

/** Reads what a run needs and opens its turn. */
export async function beginRun(
  conversation: Conversation,
  messages: readonly HostMessage[],
  settings: MemorySettings,
  model: string | { readonly modelId: string } | undefined,
  report: Report,
): Promise<BegunRun> {
  const said = messages.map(({ message }) => message);
  const begin = async (approvals: ReadonlyMap<string, string>) => {
    const given = convertEach(messages, approvals, report);
    // Without the run's signal: a person who goes away has still said what they said, and reading has its own deadline.
    const turn = await conversation.begin({
      messages: given.map(({ input }) => input),
      id: settings.turnId,
      query: settings.query,
      recall: settings.recall,
      agentName: settings.agentName,
      replaces: settings.replaces,
      model: typeof model === "string" ? model : model?.modelId,
    });
    return { approvals, given, turn };
  };
  const first = await begin(await findApprovals(conversation, said, report));
  const known = new Map([...first.approvals, ...storedApprovals(first.turn.messages)]);
  // A turn that broke after another answer is none that waits, and is only known once it goes on.
  const isKnownNow = answersUnknown(said, first.approvals) && known.size > first.approvals.size;
  const { approvals, given, turn } = isKnownNow ? await begin(known) : first;
  const { history, block } = storedPrompt(turn, { exact: settings.replay === "exact", onUnsupported: report });
  return { turn, approvals, history, own: newMessages(messages, given, turn.fresh), block };
}

/**
 * Calls of the approvals that these messages answer. An app that sends only the answer has its question in the paused
 * turn.
 */
async function findApprovals(
  conversation: Conversation,
  messages: readonly ModelMessage[],
  report: Report,
): Promise<Map<string, string>> {
  const calls = approvalCalls(messages);
  if (!answersUnknown(messages, calls)) return calls;
  // Where the store can't be read, the turn begins without it all the same.
  const paused = await conversation.resume().catch(report);
  return new Map([...calls, ...storedApprovals(paused?.messages ?? [])]);
}
