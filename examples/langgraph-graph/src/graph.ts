import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { SystemMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesValue, START, StateGraph, StateSchema, UntrackedValue } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import type { Memory } from "@throughline/core";
import { createCheckpointer, memoryTools, type RunPrompt, recallNode, recordNode } from "@throughline/langgraph";
import { tool } from "langchain";
import { z } from "zod";

/** What is recalled is for one call of the model: as an untracked value no checkpoint keeps it. */
const State = new StateSchema({ messages: MessagesValue, recalled: new UntrackedValue<RunPrompt>() });

/** Books a table, once a person has said yes. */
const bookTable = tool(
  ({ city }) => (interrupt({ question: `Book a table in ${city}?` }) === "yes" ? `Booked in ${city}.` : "Not booked."),
  { name: "book_table", description: "Books a table for tonight.", schema: z.object({ city: z.string() }) },
);

/** A concierge: it reads its memory, calls its model and tools in turn, and records what was said as one turn. */
export function concierge(memory: Memory, model: BaseChatModel) {
  const tools = [bookTable, ...memoryTools(memory, { only: ["memory_remember"] })];
  if (model.bindTools === undefined) throw new Error("The model takes no tools.");
  const withTools = model.bindTools(tools);
  return new StateGraph(State)
    .addNode("recall", recallNode(memory))
    .addNode("model", async ({ recalled, messages }) => {
      const { system, messages: shown } = recalled ?? { system: "", messages };
      const instructions = new SystemMessage(`You are a concierge.\n\n${system}`.trim());
      return { messages: [await withTools.invoke([instructions, ...shown])] };
    })
    .addNode("tools", new ToolNode(tools))
    .addNode("record", recordNode(memory))
    .addEdge(START, "recall")
    .addEdge("recall", "model")
    .addConditionalEdges("model", toolsCondition, { tools: "tools", [END]: "record" })
    .addEdge("tools", "recall")
    .addEdge("record", END)
    .compile({ checkpointer: createCheckpointer(memory) });
}
