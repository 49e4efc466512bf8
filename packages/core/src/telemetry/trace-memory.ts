import type { Conversation, OpenTurn } from "../contract/conversation.ts";
import type { Memory, MemoryOptions } from "../contract/memory.ts";
import type { SpanAttributes } from "../contract/tracer.ts";
import type { Engine } from "../memory/engine.ts";
import {
  ARTIFACT_SPANS,
  CHECKPOINT_SPANS,
  CONVERSATION_SPANS,
  MEMORY_SPANS,
  OPERATOR_SPANS,
  RECORD_SPANS,
  SUBJECT_SPANS,
  TURN_SPANS,
} from "./span-tables.ts";
import { type Tracing, withSpans } from "./with-spans.ts";

/** How a memory of these options traces; `undefined` where it has no tracer. */
export function createTracing({ tracer, traceIds }: MemoryOptions, agent: string): Tracing | undefined {
  return tracer && { tracer, ids: traceIds ?? false, attributes: { "gen_ai.agent.id": agent } };
}

/** Gives each operation of a new memory its span; none where there is no tracer. */
export function traceMemory({ tracing }: Engine, memory: Memory): Memory {
  if (tracing === undefined) return memory;
  const { subject, records } = memory;
  withSpans(tracing, "memory.checkpoints", memory.checkpoints, CHECKPOINT_SPANS);
  withSpans(tracing, "memory.operator", memory.operator, OPERATOR_SPANS);
  return Object.assign(withSpans(tracing, "memory", memory, MEMORY_SPANS), {
    subject: (id: string) => withSpans(tracing, "memory.subject", subject(id), SUBJECT_SPANS),
    records: (namespace: readonly string[]) => withSpans(tracing, "memory.records", records(namespace), RECORD_SPANS),
  });
}

/** Gives each operation of a new conversation handle its span, and those of its turns and artifacts. */
export function traceConversation({ tracing }: Engine, conversation: Conversation): Conversation {
  if (tracing === undefined) return conversation;
  const ids: SpanAttributes = tracing.ids ? { "gen_ai.conversation.id": conversation.id } : {};
  const traceTurn = (turn: OpenTurn): OpenTurn =>
    withSpans(tracing, "memory.turn", turn, TURN_SPANS, tracing.ids ? { ...ids, "memory.turn.id": turn.id } : {});
  const { artifact } = conversation;
  const { begin, resume } = withSpans(tracing, "memory", conversation, CONVERSATION_SPANS, ids);
  return Object.assign(conversation, {
    begin: async (input?: Parameters<typeof begin>[0]) => traceTurn(await begin(input)),
    resume: async (...args: Parameters<typeof resume>) => {
      const resumed = await resume(...args);
      return resumed && traceTurn(resumed);
    },
    artifact: (id: string) => withSpans(tracing, "memory.artifact", artifact(id), ARTIFACT_SPANS, ids),
  });
}
