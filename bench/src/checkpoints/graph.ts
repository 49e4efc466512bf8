import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, MessagesDeltaValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { seededRandom } from "../lib/random.ts";

/** How the conversation is kept in the graph's state. */
export type ChannelKind = "ordinary" | "delta";

const WORDS = "the a of budget train garden note window river meeting answer price carrot ticket plan late early".split(
  " ",
);

/** Texts of about so many bytes. */
function textSource(seed: number): (bytes: number) => string {
  const random = seededRandom(seed);
  return (bytes) => {
    let text = "";
    while (text.length < bytes) text += `${WORDS[Math.floor(random() * WORDS.length)] ?? ""} `;
    return text.slice(0, bytes);
  };
}

/** A conversation that grows by a turn: a question of some 210 bytes, an answer of some 840, one node. */
export interface Talk {
  turn(thread: string): Promise<void>;
  state(thread: string): Promise<BaseMessage[]>;
}

/** The same talk on any checkpointer: the texts are the same for every seed. */
export function createTalk(checkpointer: BaseCheckpointSaver, channel: ChannelKind, seed: number): Talk {
  const text = textSource(seed);
  const answer = () => ({ messages: [new AIMessage(text(840))] });
  const build = () => {
    if (channel === "delta") {
      const schema = new StateSchema({ messages: MessagesDeltaValue });
      return new StateGraph(schema).addNode("model", answer).addEdge(START, "model").addEdge("model", END);
    }
    return new StateGraph(MessagesAnnotation).addNode("model", answer).addEdge(START, "model").addEdge("model", END);
  };
  const graph = build().compile({ checkpointer });
  const config = (thread: string) => ({ configurable: { thread_id: thread } });
  return {
    async turn(thread) {
      await graph.invoke({ messages: [new HumanMessage(text(210))] }, config(thread));
    },
    async state(thread) {
      const { values } = await graph.getState(config(thread));
      return values.messages as BaseMessage[];
    },
  };
}
