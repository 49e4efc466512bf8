import type { MemoryStore } from "@throughline/core";
import {
  compareRecords,
  coreHost,
  describeParity,
  HOST_FIELDS,
  hostFieldOf,
  resultTable,
  type StoryDifference,
  type StoryHost,
  tellStory,
} from "@throughline/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { HOSTS } from "../../hosts/hosts.ts";
import { DATABASES, type Place } from "../support/databases.ts";

const STORES = DATABASES.filter(({ name }) => name !== "memory");
const table = resultTable({
  corner: "the same story through",
  rows: HOSTS.map(({ name }) => name),
  columns: ["SQLite", "PostgreSQL"],
});
/** What differed, by host. */
const seen = new Map<string, StoryDifference[]>();

// The AI SDK tells of each schema that OpenAI takes less exactly.
vi.stubGlobal("AI_SDK_LOG_WARNINGS", false);
// Mastra stamps its rows itself; timers and sockets run as ever.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());
const onTime = (now: Date): void => void vi.setSystemTime(now);

for (const { name, place } of STORES) {
  for (const host of HOSTS) {
    const places = new Map<MemoryStore, Place>();
    describeParity(`${host.name} on ${name}`, host, {
      create() {
        const at = place();
        const store = at.open();
        places.set(store, at);
        return store;
      },
      remove: async (store) => places.get(store)?.remove(),
      onTime,
      onCompared(differences) {
        seen.set(host.name, [...(seen.get(host.name) ?? []), ...differences]);
        const isSame = differences.every((difference) => hostFieldOf(difference) !== undefined);
        table.record(host.name, name, isSame ? "same records" : "other records");
      },
    });
  }
}

describe("the fields that are a host's own", () => {
  const all = () => [...seen.values()].flat();

  test.each(HOST_FIELDS)("B7: $field differs somewhere, or it would not be listed", (field) => {
    expect(all().filter((difference) => hostFieldOf(difference) === field)).not.toEqual([]);
  });
});

test.runIf(STORES.length === 2)("B7: the table in the README is what these tests saw", () =>
  expect(table.json()).toMatchFileSnapshot("../parity.table.json"),
);

/** Hosts that do one thing wrong. */
const BROKEN: Record<string, StoryHost> = {
  "hears other words than were said": alter((agent) => ({
    ...agent,
    say: (text, input) => agent.say(text.toUpperCase(), input),
  })),
  "says everything twice": alter((agent) => ({
    ...agent,
    async say(text, input) {
      await agent.say(text, input);
      await agent.say(text, input);
    },
  })),
  "takes every answer for yes": alter((agent) => ({ ...agent, decide: (_, input) => agent.decide(true, input) })),
  "waits for nobody": {
    ...coreHost,
    open: (world) => coreHost.open({ ...world, tools: world.tools.map((tool) => ({ ...tool, needsApproval: false })) }),
  },
  "has no tools of the app": { ...coreHost, open: (world) => coreHost.open({ ...world, tools: [] }) },
  "doesn't say who it is": { ...coreHost, open: (world) => coreHost.open({ ...world, agentName: "" }) },
};

function alter(change: (agent: ReturnType<StoryHost["open"]>) => ReturnType<StoryHost["open"]>): StoryHost {
  return { ...coreHost, open: (world) => change(coreHost.open(world)) };
}

describe("a host that is broken", () => {
  const memory = DATABASES.find(({ name }) => name === "memory");
  const tell = async (host: StoryHost) => {
    const store = memory?.place().open();
    if (store === undefined) throw new Error("There is always a store in memory.");
    return (await tellStory(host, { store, onTime })).records;
  };

  test.each(Object.entries(BROKEN))("B7: is found out: one that %s", async (_, host) => {
    const differences = compareRecords(await tell(coreHost), await tell(host));
    expect(differences.filter((difference) => hostFieldOf(difference) === undefined)).not.toEqual([]);
  });

  test("B7: and core alone, told twice, differs in nothing", async () => {
    expect(compareRecords(await tell(coreHost), await tell(coreHost))).toEqual([]);
  });
});
