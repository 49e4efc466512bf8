import { Command, isInterrupted } from "@langchain/langgraph";
import { createMemory } from "@throughline/core";
import { withMemory } from "@throughline/langgraph";
import { sqliteStore } from "@throughline/store-sqlite";
import { concierge } from "./graph.ts";
import { chatModel } from "./model.ts";

/*
 * One session of one person, in a process of its own: `session.ts FILE THREAD SUBJECT LINE…`. Each line is said in turn;
 * where the graph has asked the person, in this process or an earlier one, the line is the person's answer. Prints what came back, as JSON.
 */

const [path = "memory.db", thread = "chat", subject = "ada", ...lines] = process.argv.slice(2);
const memory = createMemory({ agent: "concierge", store: sqliteStore({ path }), env: {} });
const conversation = memory.conversation({ id: thread, subject });
const graph = concierge(memory, chatModel(process.env));

const answers: string[] = [];
// The graph's state is in the memory's store: a question may be as old as the process before.
const { tasks } = await graph.getState(withMemory(conversation));
let isAsked = tasks.some(({ interrupts }) => interrupts.length > 0);
for (const line of lines) {
  const input = isAsked
    ? new Command<string, Record<string, unknown>, never>({ resume: line })
    : { messages: [{ role: "user" as const, content: line }] };
  // One config for each run: it names the thread, and every end of the run is recorded.
  const state = await graph.invoke(input, withMemory(conversation));
  isAsked = isInterrupted(state);
  answers.push(isAsked ? "(asks)" : (state.messages.at(-1)?.text ?? ""));
}
await memory.close();
process.stdout.write(JSON.stringify(answers));
