import {
  createMemory,
  inMemoryStore,
  type Memory,
  type MemoryStore,
  memoryTools,
  messageText,
} from "@throughline/core";
import { describe, expect, it } from "vitest";
import { ISOLATION_CASES } from "./isolation-cases.ts";
import type { Identity, IsolationDriver } from "./isolation-driver.ts";
import { orderedCalls } from "./obedient-model.ts";
import { planIsolationTests } from "./plan-isolation-tests.ts";

/** An adapter of no framework at all, and its faults: how it tells who is there, and what it shares. */
interface Fault {
  identify?(who: Identity): Identity;
  /** What an app that serves many must not have: one conversation for whoever comes. */
  isShared?: boolean;
  /** Tools go by the run's memory, whosever they are. */
  isOwnTools?: boolean;
  eraseAs?(who: Identity): Identity;
}

function plainDriver({
  identify = (who) => who,
  isShared = false,
  isOwnTools = false,
  eraseAs = identify,
}: Fault): IsolationDriver {
  const store: MemoryStore = inMemoryStore();
  const memories = new Map<string, Memory>();
  const memory = (given: Identity): Memory => {
    const { tenant, agent } = identify(given);
    const key = JSON.stringify([tenant, agent]);
    const made = memories.get(key) ?? createMemory({ tenant, agent, store, env: {}, onEvent: () => {} });
    memories.set(key, made);
    return made;
  };
  const conversationOf = (who: Identity) => {
    const { conversation: id, subject } = identify(who);
    return memory(who).conversation({ id, ...(subject === undefined ? {} : { subject }) });
  };
  const kept = (who: Identity) => {
    const { subject = "nobody", conversation } = identify(who);
    return memory(who).records(["kept", subject, conversation]);
  };
  let last: ReturnType<typeof conversationOf> | undefined;
  const run = async (who: Identity, text: string, toolsOf?: Identity): Promise<string> => {
    const conversation = conversationOf(who);
    last = conversation;
    const turn = await conversation.begin({ messages: [{ role: "user", content: text }] });
    const other = toolsOf === undefined || toolsOf === who ? undefined : conversationOf(toolsOf);
    const tools = memoryTools((isShared ? last : undefined) ?? other ?? turn.conversation);
    const answers: string[] = [];
    for (const { tool, input } of orderedCalls(text)) {
      answers.push((await tools.find(({ name }) => name === tool)?.run(input, {})) ?? "");
    }
    await turn.complete([{ role: "assistant", content: `Noted. ${text}` }]);
    return [turn.system, ...turn.messages.map(messageText), ...answers].join("\n");
  };
  return {
    memory,
    runs: { plain: { run } },
    runWithToolsOf: (who, other, text) => run(who, text, isOwnTools ? who : other),
    reads: {
      "what is kept": {
        shows: ["kept"],
        reach: "conversation",
        read: async (who) => JSON.stringify(await kept(who).get("code")),
      },
    },
    keep: async (who, text) => {
      const { subject } = identify(who);
      await kept(who).put("code", text, subject === undefined ? {} : { subject });
    },
    erasures: {
      "by its id": (who) =>
        memory(who)
          .conversation({ id: eraseAs(who).conversation })
          .delete()
          .then(() => {}),
    },
  };
}

const mapped = (change: (id: string) => string): Fault => ({
  identify: ({ subject, conversation, ...who }) => ({
    tenant: change(who.tenant),
    agent: change(who.agent),
    conversation: change(conversation),
    ...(subject === undefined ? {} : { subject: change(subject) }),
  }),
});

const inUtf8 = (id: string): string => new TextDecoder().decode(new TextEncoder().encode(id));

const FAULTS: Record<string, Fault> = {
  "takes upper case for lower case": mapped((id) => id.toLowerCase()),
  "leaves blanks out": mapped((id) => id.trim()),
  "composes letters": mapped((id) => id.normalize("NFC")),
  "takes letters for others that are compatible": mapped((id) => id.normalize("NFKC")),
  "decodes ids as a URL has them": mapped((id) => {
    try {
      return decodeURIComponent(id);
    } catch {
      return id;
    }
  }),
  "decodes ids as JSON": mapped((id) => {
    try {
      return String(JSON.parse(id));
    } catch {
      return id;
    }
  }),
  "reads numbers in ids": mapped((id) => (/^\d+$/.test(id) ? String(Number(id)) : id)),
  "cuts long ids off": mapped((id) => id.slice(0, 255)),
  "cuts ids off at a mark": mapped((id) => id.split(/[#@?]/)[0] || id),
  "cuts ids off at NUL": mapped((id) => id.split("\0")[0] || id),
  "replaces half characters": mapped(inUtf8),
  "leaves out what nobody sees": mapped((id) => id.replaceAll(/\p{Cf}/gu, "")),
  "joins tenant and agent with a colon": {
    identify: ({ tenant, agent, ...who }) => ({ tenant: "one", agent: `${tenant}:${agent}`, ...who }),
  },
  "joins person and conversation with a slash": {
    identify: ({ subject, conversation, ...who }) => {
      const id = subject === undefined ? conversation : `${subject}/${conversation}`;
      return { ...who, conversation: id, subject: "everybody" };
    },
  },
  "has one agent for all": { identify: (who) => ({ ...who, agent: "guide" }) },
  "has one tenant for all": { identify: (who) => ({ ...who, tenant: "acme" }) },
  "goes by the last one who came": { isShared: true },
  "lets all tools go by the run's own memory": { isOwnTools: true },
  "erases by a name that others have too": {
    eraseAs: (who) => ({ ...who, conversation: who.conversation.toLowerCase() }),
  },
};

/** The first title that fails, and why. */
async function firstFailure(fault: Fault): Promise<string | null> {
  for (const { title, run } of planIsolationTests({ withDriver: (body) => body(plainDriver(fault)) })) {
    try {
      await run();
    } catch (error) {
      return `${title}: ${error}`;
    }
  }
  return null;
}

describe("J1/PR5: what shows that nothing crosses", () => {
  it("passes where nothing does", async () => {
    expect(await firstFailure({})).toBeNull();
    expect(new Set(ISOLATION_CASES.map(({ title }) => title)).size).toBe(ISOLATION_CASES.length);
  });

  it.each(Object.entries(FAULTS))("fails with an adapter that %s", async (_name, fault) => {
    expect(await firstFailure(fault)).toMatch(/ sees | doesn't see its own /);
  });

  it("fails where a skip names nothing, or is needed no more", async () => {
    const hooks = { withDriver: (body: (driver: IsolationDriver) => Promise<void>) => body(plainDriver({})) };
    const [first] = ISOLATION_CASES;
    const plan = planIsolationTests(hooks, { nothing: "why", [first?.title ?? ""]: "it passes" });
    const failed: string[] = [];
    for (const { title, run } of [plan[0], plan.at(-1)].flatMap((test) => test ?? [])) {
      await run().catch(() => failed.push(title));
    }
    expect(failed).toHaveLength(2);
  });
});
