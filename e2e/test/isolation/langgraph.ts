import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage } from "@langchain/core/messages";
import type { MemoryStore } from "@throughline/core";
import {
  createCheckpointer,
  createStore,
  fromStoreLabel,
  memoryMiddleware,
  memoryTools,
  storeLabel,
  withMemory,
} from "@throughline/langgraph";
import { type Identity, type IsolationDriver, obedientModel } from "@throughline/testkit";
import { createAgent, fakeModel } from "langchain";
import { perAgent, refOf } from "./app.ts";

const configurable = ({ conversation, subject }: Identity) => ({
  configurable: { thread_id: conversation, ...(subject === undefined ? {} : { user_id: subject }) },
});

/** LangChain's agent with a checkpointer, and LangGraph's store, each one for everybody. */
export function langGraphDriver(store: MemoryStore): IsolationDriver {
  const mind = obedientModel();
  const model = fakeModel();
  let answers = 0;
  const answer = (messages: BaseMessage[]): AIMessage => {
    const said = messages.findLast(({ type }) => type === "human")?.text ?? "";
    const prompt = messages.map(({ text }) => text).join("\n");
    const calls = mind.next(prompt, said, messages.at(-1)?.type === "tool");
    return new AIMessage({
      id: `ai-${++answers}`,
      content: calls.length === 0 ? "Noted." : "",
      tool_calls: calls.map(({ callId: id, tool: name, input }) => ({
        id,
        name,
        args: { ...input },
        type: "tool_call",
      })),
    });
  };
  const app = perAgent(store, (memory) => {
    const checkpointer = createCheckpointer(memory);
    return {
      checkpointer,
      items: createStore(memory, {
        subjectOf: ([, label = ""]) => (label === "%" ? undefined : fromStoreLabel(label)),
      }),
      agent: createAgent({
        model,
        tools: memoryTools(memory),
        middleware: [memoryMiddleware(memory, { onError: () => {} })],
        checkpointer,
      }),
    };
  });
  const run = async (
    text: string,
    invoke: (given: { messages: { role: "user"; content: string }[] }) => Promise<unknown>,
  ) => {
    const content = mind.words(text);
    // Its own script is a queue; what it answers follows from what it is asked.
    for (let step = 0; step < 2; step++) model.respond(answer);
    await invoke({ messages: [{ role: "user", content }] });
    return mind.shown(content);
  };
  const namespace = ({ subject = "", conversation }: Identity) => [
    "notes",
    storeLabel(subject),
    storeLabel(conversation),
  ];
  return {
    memory: (who) => app(who).memory,
    runs: {
      "an agent, told by its ids": {
        run: (who, text) => run(text, (given) => app(who).agent.invoke(given, configurable(who))),
      },
      "an agent's stream, told by its context": {
        run: (who, text) =>
          run(text, async (given) => {
            const { conversation, subject } = who;
            const context = { conversation, ...(subject === undefined ? {} : { subject }) };
            const config = { configurable: { thread_id: conversation }, context };
            for await (const _ of await app(who).agent.stream(given, config as never));
          }),
      },
      "an agent with withMemory": {
        run: (who, text) =>
          run(text, (given) => {
            const { agent, memory } = app(who);
            return agent.invoke(given, withMemory(memory.conversation(refOf(who)), configurable(who)));
          }),
      },
    },
    runWithToolsOf: (who, toolsOf, text) =>
      run(text, (given) => {
        const { memory } = app(who);
        const tools = memoryTools(app(toolsOf).memory);
        const agent = createAgent({ model, tools, middleware: [memoryMiddleware(memory, { onError: () => {} })] });
        return agent.invoke(given, withMemory(memory.conversation(refOf(who)), configurable(who)));
      }),
    reads: {
      "the newest checkpoint": {
        shows: ["said"],
        reach: "conversation",
        read: async (who) => JSON.stringify((await app(who).checkpointer.getTuple(configurable(who))) ?? null),
      },
      "all checkpoints": {
        shows: ["said"],
        reach: "conversation",
        async read(who) {
          const found: unknown[] = [];
          for await (const tuple of app(who).checkpointer.list(configurable(who))) found.push(tuple);
          return JSON.stringify(found);
        },
      },
      "an item of the store": {
        shows: ["kept"],
        reach: "conversation",
        read: async (who) => JSON.stringify(await app(who).items.get(namespace(who), "code")),
      },
      "a search in the store": {
        shows: ["kept"],
        reach: "subject",
        needsSubject: true,
        read: async (who) =>
          JSON.stringify(await app(who).items.search(namespace(who).slice(0, 2), { query: "locker code", limit: 100 })),
      },
    },
    keep: async (who, text) => app(who).items.put(namespace(who), "code", { text }),
    erasures: { deleteThread: (who) => app(who).checkpointer.deleteThread(who.conversation) },
  };
}
