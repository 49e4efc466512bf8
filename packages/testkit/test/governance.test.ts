import {
  GOVERNANCE_CHECKS,
  type GovernedMemory,
  type GovernedTurn,
  govern,
  governThroughline,
} from "@throughline/testkit";
import { describe, expect, it } from "vitest";

/** Remembers nothing. */
const amnesia = async (): Promise<GovernedMemory> => ({
  turn: async () => undefined,
  known: async () => [],
  prompt: async () => "",
  forget: async () => 0,
  erase: async () => 0,
  history: async () => [],
  why: async () => null,
  undo: async () => null,
  export: async () => null,
  close: async () => undefined,
});

/** Keeps every proposal for ever, for everybody. */
const hoarder = async (): Promise<GovernedMemory> => {
  const kept: string[] = [];
  return {
    ...(await amnesia()),
    turn: async ({ proposes }: GovernedTurn) => void kept.push(...proposes.map(({ text }) => text)),
    known: async () => kept,
    prompt: async () => kept.join("\n"),
  };
};

describe("governance", () => {
  it("G1/G2/G3/G6: this memory meets every obligation and keeps every prohibition", async () => {
    const { findings, obligations, prohibitions } = await govern(governThroughline());
    expect(findings.filter(({ holds }) => !holds)).toEqual([]);
    expect(obligations).toEqual({ met: 14, of: 14 });
    expect(prohibitions).toEqual({ kept: 12, of: 12 });
  });

  it("G7: remembering nothing scores nothing, however well it keeps the prohibitions", async () => {
    const { obligations, prohibitions } = await govern(amnesia);
    expect(obligations.met).toBe(0);
    expect(prohibitions.kept).toBe(prohibitions.of);
  });

  it("G6: every prohibition is one that a memory which keeps everything breaks, or is told why not", async () => {
    const { findings } = await govern(hoarder);
    const kept = findings.filter(({ kind, holds }) => kind === "prohibition" && holds).map(({ id }) => id);
    expect(kept).toEqual([]);
    expect(new Set(GOVERNANCE_CHECKS.map(({ id }) => id)).size).toBe(GOVERNANCE_CHECKS.length);
  });
});
