import { RequestContext } from "@mastra/core/request-context";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { concierge } from "./concierge.ts";

/*
 * One session of one person: node session.ts FILE THREAD PERSON LINE... The line "yes" or "no" answers the workflow; the
 * answers are printed as JSON.
 */

const [path = "memory.db", thread = "first", person = "ada", ...lines] = process.argv.slice(2);
const memory = createMemory({ agent: "concierge", store: sqliteStore({ path }), env: {} });
const mastra = concierge(memory);
const requestContext = new RequestContext();
requestContext.set("conversation", thread);
requestContext.set("userId", person);

const answers: string[] = [];
let run: Awaited<ReturnType<ReturnType<typeof mastra.getWorkflow<"booking">>["createRun"]>> | null = null;
for (const line of lines) {
  if (line.startsWith("Book")) {
    run = await mastra.getWorkflow("booking").createRun();
    const { status } = await run.start({ inputData: { prompt: line }, requestContext });
    const { turns } = await memory.conversation({ id: thread }).transcript();
    // What was said is recorded before anybody has answered.
    answers.push(`(the workflow is ${status}, its turn ${turns.at(-1)?.status})`);
  } else if (run !== null && (line === "yes" || line === "no")) {
    const ended = await run.resume({ step: "book", resumeData: { approved: line === "yes" }, requestContext });
    answers.push(ended.status === "success" ? ended.result.text : ended.status);
  } else {
    const { text } = await mastra.getAgent("guide").generate(line, { requestContext });
    answers.push(text);
  }
}
await memory.close();
console.log(JSON.stringify(answers));
