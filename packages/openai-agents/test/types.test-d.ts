import { Agent, type AgentInputItem, RunState, run, type Session } from "@openai/agents";
import { createMemory, inMemoryStore } from "@throughline/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { agentRunner, createSession, memoryTools, runWithMemory, withMemoryInstructions } from "../src/index.ts";

interface Context {
  user: string;
}
const memory = createMemory({ agent: "guide", store: inMemoryStore() });
const conversation = memory.conversation({ id: "c" });
const scope = ({ user }: Context) => ({ id: `chat-${user}`, subject: user });

test("B6: the host's own objects fit, and its results come back as they are", async () => {
  const agent = new Agent<Context>({
    name: "Ann",
    instructions: withMemoryInstructions<Context>(memory, "Be brief.", { scope }),
    tools: memoryTools<Context>(memory, { scope }),
  });
  const session: Session = createSession(memory, scope);
  await run(agent, "Hi", { session, context: { user: "ada" } });

  const context = { user: "ada" };
  const plain = await runWithMemory(memory, agent, "Hi", { context, memory: { scope } });
  expectTypeOf(plain.finalOutput).toEqualTypeOf<string | undefined>();
  expectTypeOf(plain.memory.turn.id).toEqualTypeOf<string>();
  const items: AgentInputItem[] = plain.history;
  const streamed = await runWithMemory(memory, agent, items, { context, memory: { scope }, stream: true });
  expectTypeOf(streamed.cancelled).toEqualTypeOf<boolean>();
  const state = await RunState.fromString<Context, typeof agent>(agent, "");
  await runWithMemory(memory, agent, state, { memory: { scope } });

  const typed = new Agent({ name: "Ben", outputType: z.object({ city: z.string() }) });
  const answer = await runWithMemory(conversation, typed, "Where?");
  expectTypeOf(answer.finalOutput).toEqualTypeOf<{ city: string } | undefined>();
  agentRunner(typed);

  // @ts-expect-error a session would be a second history
  await runWithMemory(conversation, typed, "Hi", { session });
  // @ts-expect-error the context has no such member
  createSession<Context>(memory, ({ room }) => ({ id: room }));
});
