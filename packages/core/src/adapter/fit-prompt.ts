import type { Compaction } from "../contract/compaction.ts";
import type { OpenTurn } from "../contract/conversation.ts";
import type { Json } from "../contract/json.ts";
import type { Message } from "../contract/message.ts";
import type { Report } from "./create-report.ts";

/**
 * For adapters: what to do with a step's prompt before the model is called. Throws `CONTEXT_OVERFLOW` where it can't be
 * brought under the budget; anything else that fails is reported and costs room, not the run. `null`: leave it as it is.
 */
export async function fitPrompt(
  turn: OpenTurn,
  messages: readonly Message[],
  options: { system: string; tools?: Json | undefined; signal?: AbortSignal | undefined; report: Report },
): Promise<Compaction | null> {
  const { system, tools, signal, report } = options;
  const beside = { system, ...(tools === undefined ? {} : { tools }) };
  let compaction: Compaction | null = null;
  try {
    compaction = await turn.compact(messages, { ...beside, ...(signal ? { signal } : {}) });
  } catch (error) {
    // The host ends an aborted run itself.
    if (!signal?.aborted) report(error);
  }
  turn.preflight(compaction?.messages ?? messages, beside);
  return compaction === null || compaction.edits.length === 0 ? null : compaction;
}
