import type { GovernanceCheck } from "./governance-check.ts";
import type { MakeGovernedMemory } from "./governed-memory.ts";
import { OBLIGATIONS } from "./obligations.ts";
import { PROHIBITIONS } from "./prohibitions.ts";

/** What came of one check. */
export interface GovernanceFinding {
  id: string;
  kind: GovernanceCheck["kind"];
  title: string;
  /** The memory met the obligation, or kept the prohibition. */
  holds: boolean;
  /** Name of what was thrown, where something was. */
  threw?: string;
}

/** How far a memory does what it must, and how far it doesn't do what it must not: two scores, never one. */
export interface GovernanceScore {
  /** How many of the obligations it met. */
  obligations: { met: number; of: number };
  /** How many of the prohibitions it kept. */
  prohibitions: { kept: number; of: number };
  findings: GovernanceFinding[];
}

/** Every check of the suite. */
export const GOVERNANCE_CHECKS: readonly GovernanceCheck[] = [...OBLIGATIONS, ...PROHIBITIONS];

/** Runs every check, each on a memory of its own. */
export async function govern(make: MakeGovernedMemory): Promise<GovernanceScore> {
  const findings: GovernanceFinding[] = [];
  for (const check of GOVERNANCE_CHECKS) findings.push(await find(make, check));
  const holding = (kind: GovernanceCheck["kind"]): number =>
    findings.filter((finding) => finding.kind === kind && finding.holds).length;
  return {
    obligations: { met: holding("obligation"), of: OBLIGATIONS.length },
    prohibitions: { kept: holding("prohibition"), of: PROHIBITIONS.length },
    findings,
  };
}

async function find(make: MakeGovernedMemory, { id, kind, title, holds }: GovernanceCheck): Promise<GovernanceFinding> {
  const memory = await make();
  try {
    return { id, kind, title, holds: await holds(memory) };
  } catch (error) {
    return { id, kind, title, holds: false, threw: error instanceof Error ? error.name : typeof error };
  } finally {
    await memory.close();
  }
}
