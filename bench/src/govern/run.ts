import { join } from "node:path";
import { GOVERNANCE_CHECKS, type GovernanceScore, govern, governThroughline } from "@throughline/testkit";
import { versionOf } from "../lib/folders.ts";
import { type BenchResult, describeMachine, type ResultRow, today } from "../lib/result.ts";
import { governMastra } from "./mastra-peer.ts";
import { governMem0 } from "./mem0-peer.ts";
import { noMemory } from "./no-memory.ts";

const OWN = "throughline";

/** The governance suite on this memory, on none, and on peers, with the same scripted model, in one run. */
export async function runGovern({ seed, peers }: { seed: number; peers: string | undefined }): Promise<BenchResult> {
  const scores: [name: string, score: GovernanceScore][] = [
    ["no memory at all", await govern(noMemory)],
    [OWN, await govern(governThroughline())],
  ];
  if (peers !== undefined) {
    scores.push(["mem0ai/oss", await govern(governMem0(peers))]);
    scores.push(["@mastra/memory, working memory", await govern(governMastra(peers))]);
  }
  const rows: ResultRow[] = scores.map(([name, { obligations, prohibitions }]) => ({
    name,
    figures: {
      obligations: obligations.met,
      "of obligations": obligations.of,
      "obligations missed": obligations.of - obligations.met,
      prohibitions: prohibitions.kept,
      "of prohibitions": prohibitions.of,
      "prohibitions broken": prohibitions.of - prohibitions.kept,
    },
  }));
  const wrong = ({ findings }: GovernanceScore): string =>
    findings
      .filter(({ holds }) => !holds)
      .map(({ id, threw }) => (threw === undefined ? id : `${id} (threw)`))
      .join(", ");
  const peerVersions =
    peers === undefined
      ? {}
      : Object.fromEntries(
          ["mem0ai", "@mastra/core", "@mastra/memory", "@mastra/libsql"].map((name) => [
            name,
            versionOf(join(peers, "node_modules", name, "package.json")),
          ]),
        );
  return {
    bench: "govern",
    title: "What a memory must do for the people it remembers, and what it must not: two scores",
    date: today(),
    seed,
    machine: describeMachine(),
    versions: { node: process.versions.node, ...peerVersions },
    setup: { checks: GOVERNANCE_CHECKS.length, model: "scripted" },
    columns: ["obligations", "of obligations", "prohibitions", "of prohibitions"],
    rows,
    gates: ["obligations missed", "prohibitions broken"].map((figure) => ({ rule: "G1", row: OWN, figure, most: 0 })),
    notes: [
      "Every memory gets the same exchanges, and the same proposals from the same scripted model, in the form its own prompt asks for. What a memory has no call for counts as not done.",
      "Remembering nothing breaks no prohibition: only the two scores together say anything.",
      ...scores.slice(1).map(([name, score]) => `${name}, not as it should be: ${wrong(score) || "nothing"}.`),
    ],
  };
}
