import { coreHost, messageLine, tellStory } from "@throughline/testkit";
import { inMemoryStore } from "@throughline/core";
import { writeFileSync } from "node:fs";
import { test, vi } from "vitest";
import { aiSdk } from "../../hosts/ai-sdk.ts";
import { langgraph } from "../../hosts/langgraph.ts";
import { mastra } from "../../hosts/mastra.ts";
import { openaiAgents } from "../../hosts/openai-agents.ts";

test.each([coreHost, langgraph, aiSdk, openaiAgents, mastra])("$name", async (host) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const told = await tellStory(host, { store: inMemoryStore(), onTime: (now) => vi.setSystemTime(now) });
  writeFileSync(`/tmp/parity-${host.name.replace(" ", "-")}.json`, JSON.stringify(told, null, 1));
  console.log(host.name, told.problems, told.refusals, "\n" + told.records.conversations.map(({ turns }) => turns.map((turn) => `${turn.id} ${turn.subject} ${turn.status} ${turn.error?.code} ${turn.error?.message}\n` + turn.messages.map((m) => `   ${messageLine(m).slice(0, 150)}`).join("\n")).join("\n")).join("\n--\n"));
  vi.useRealTimers();
});
test("compare", async () => {
  const { compareRecords } = await import("../../../packages/testkit/src/parity/compare-records.ts");
  const { readFileSync } = await import("node:fs");
  const read = (name: string) => JSON.parse(readFileSync(`/tmp/parity-${name}.json`, "utf8")).records;
  const core = read("core-alone");
  for (const name of ["LangGraph", "AI-SDK", "OpenAI-Agents", "Mastra"]) {
    const by = new Map<string, string[]>();
    for (const { field, path, expected, got } of compareRecords(core, read(name))) {
      by.set(field, [...(by.get(field) ?? []), `${path}: ${JSON.stringify(expected)?.slice(0, 150)} | ${JSON.stringify(got)?.slice(0, 150)}`]);
    }
    console.log(name + "\n" + [...by].map(([field, list]) => `## ${field} × ${list.length}\n   ${list.slice(0, 4).join("\n   ")}`).join("\n"));
  }
});
