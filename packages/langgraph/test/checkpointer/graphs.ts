import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import {
  Annotation,
  type BaseCheckpointSaver,
  END,
  interrupt,
  MessagesAnnotation,
  MessagesDeltaValue,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";

export const thread = (id: string, more: Record<string, unknown> = {}) => ({
  configurable: { thread_id: id, ...more },
});

/** One node that answers with what was asked. */
export function echoGraph(
  checkpointer: BaseCheckpointSaver,
  before: (text: string) => Promise<void> | void = () => {},
) {
  return new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => {
      const text = String(messages.at(-1)?.content);
      await before(text);
      return { messages: [new AIMessage({ id: `re ${text}`, content: `re ${text}` })] };
    })
    .addEdge(START, "model")
    .addEdge("model", END)
    .compile({ checkpointer });
}

/** The same with a delta channel. */
export function deltaGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(new StateSchema({ messages: MessagesDeltaValue }))
    .addNode("model", ({ messages }) => ({ messages: [new AIMessage(`re ${String(messages.at(-1)?.content)}`)] }))
    .addEdge(START, "model")
    .addEdge("model", END)
    .compile({ checkpointer });
}

export const ask = (text: string) => ({ messages: [new HumanMessage({ id: text, content: text })] });

export const textsOf = (messages: unknown): string[] =>
  ((messages ?? []) as BaseMessage[]).map(({ content }) => String(content));

/** A node that asks a person, twice, with work before and after it. */
export function approvalGraph(checkpointer: BaseCheckpointSaver) {
  const State = Annotation.Root({
    log: Annotation<string[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
    at: Annotation<Date>(),
  });
  return new StateGraph(State)
    .addNode("prepare", () => ({ log: ["prepared"], at: new Date(5) }))
    .addNode("approve", () => {
      const first = interrupt({ question: "first?", at: new Date(1) }) as string;
      const second = interrupt({ question: "second?" }) as string;
      return { log: [first, second] };
    })
    .addEdge(START, "prepare")
    .addEdge("prepare", "approve")
    .addEdge("approve", END)
    .compile({ checkpointer });
}

/** A graph in a graph. */
export function nestedGraph(checkpointer: BaseCheckpointSaver) {
  const inner = new StateGraph(MessagesAnnotation)
    .addNode("inside", ({ messages }) => ({ messages: [new AIMessage(`inside ${messages.length}`)] }))
    .addEdge(START, "inside")
    .addEdge("inside", END)
    .compile();
  return new StateGraph(MessagesAnnotation)
    .addNode("child", inner)
    .addEdge(START, "child")
    .addEdge("child", END)
    .compile({ checkpointer });
}

/** Values of the whole history, newest first. */
export async function historyOf(graph: ReturnType<typeof echoGraph>, id: string) {
  const states: unknown[] = [];
  for await (const { values, next, metadata, config, tasks } of graph.getStateHistory(thread(id))) {
    states.push({
      messages: textsOf(values.messages),
      next,
      source: metadata?.source,
      step: metadata?.step,
      checkpoint: config.configurable?.checkpoint_id,
      results: tasks.map(({ name, error, interrupts }) => ({ name, error, interrupts })),
    });
  }
  return states;
}
