import { createMemory, inMemoryStore } from "@throughline/core";
import { modelServer, type WireRequest } from "@throughline/testkit";
import { expect, test } from "vitest";
import { HOSTS } from "../../hosts/hosts.ts";

const IDENTITY = ["tenant", "agent", "subject", "login", "user", "conversation", "thread", "session"];

/** Names of what the tools of a request take, at any depth. */
function namesOf({ body }: WireRequest): string[] {
  const names: string[] = [];
  JSON.stringify(body, (key, value: unknown) => {
    if (key === "properties" && typeof value === "object" && value !== null) names.push(...Object.keys(value));
    return value;
  });
  return names;
}

test.each(HOSTS)("G10: no tool of the memory lets the model of $name say whose memory it is", async (host) => {
  await using server = await modelServer(
    {
      calls: [
        {
          id: "call-1",
          name: "memory_remember",
          arguments: JSON.stringify({
            ...Object.fromEntries(IDENTITY.map((name) => [name, "bob"])),
            key: "city",
            value: "Oslo",
          }),
        },
      ],
    },
    { text: "Noted." },
  );
  const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {}, onEvent: () => {} });
  const agent = host.open({
    memory,
    baseURL: server.baseURL,
    api: "chat",
    agentName: "Guide",
    instructions: "Be brief.",
    tools: [],
  });
  await agent.say("Bob lives in Oslo.", {
    conversation: memory.conversation({ id: "chat", subject: "ada" }),
    signal: new AbortController().signal,
    onText() {},
  });
  const [request] = server.requests;
  const names = request === undefined ? [] : namesOf(request);
  expect(names).toContain("query");
  expect(names.filter((name) => IDENTITY.includes(name))).toEqual([]);
  expect(await memory.subject("bob").facts()).toEqual([]);
  expect((await memory.conversations()).items.map(({ id, subject }) => [id, subject])).toEqual([["chat", "ada"]]);
  const facts = await memory.subject("ada").facts();
  expect(facts.map(({ key, source }) => [key, source?.conversation])).toEqual([["city", "chat"]]);
});
