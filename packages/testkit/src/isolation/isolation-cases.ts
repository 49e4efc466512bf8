import { fail } from "node:assert/strict";
import type { RuleId } from "../requirements.ts";
import { IMPOSSIBLE_IDS } from "./colliding-ids.ts";
import {
  FAMILY_NAMES,
  type FamilyName,
  familyOf,
  type IdentityFamily,
  type IsolationExtent,
} from "./identity-families.ts";
import { plant, readAll, refusedRuns } from "./isolation-check.ts";
import type { Identity, IsolationDriver } from "./isolation-driver.ts";
import { orderCalls } from "./obedient-model.ts";

/** One promise of isolation: `run` rejects where it isn't kept. */
export interface IsolationCase {
  readonly rules: readonly RuleId[];
  /** A sentence about behaviour, unique. */
  readonly title: string;
  run(driver: IsolationDriver, extent: IsolationExtent): Promise<void>;
}

/** Some of a family, for what needs no more: at most so many of what is tried anyway. */
function someOf(name: FamilyName, extent: IsolationExtent): IdentityFamily {
  const family = familyOf(name, extent);
  return extent === "whole" ? family : { ...family, identities: family.identities.slice(0, FEW) };
}

const FEW = 4;

const SHOWN = 10;

/** Fails with the first of the problems. */
function none(problems: readonly string[]): void {
  if (problems.length > 0) fail([`${problems.length} times:`, ...problems.slice(0, SHOWN)].join("\n"));
}

const isOdd = (index: number): boolean => index % 2 === 1;

const crossing = FAMILY_NAMES.map(
  (name): IsolationCase => ({
    rules: ["PR5", "G10", "B1"],
    title: `${name}: each sees its own, and nothing of another`,
    async run(driver, extent) {
      const family = familyOf(name, extent);
      await plant(driver, family);
      none(await readAll(driver, family));
    },
  }),
);

/** Erases for every other identity, and looks what everybody sees then. */
async function eraseHalf(
  driver: IsolationDriver,
  family: IdentityFamily,
  erase: (who: Identity) => Promise<unknown>,
  gone: readonly string[] = [],
): Promise<void> {
  await plant(driver, family);
  await Promise.all(family.identities.filter((_, index) => isOdd(index)).map(erase));
  const isThere = (index: number, kind: string) => !isOdd(index) || (gone.includes(kind) ? false : null);
  none(await readAll(driver, family, isThere));
}

export const ISOLATION_CASES: readonly IsolationCase[] = [
  ...crossing,
  {
    rules: ["PR5", "A2"],
    title: "erasing a person leaves all that is another's",
    run: (driver, extent) =>
      eraseHalf(
        driver,
        someOf("people", extent),
        (who) =>
          driver
            .memory(who)
            .subject(who.subject ?? "")
            .erase(),
        ["said", "fact", "kept"],
      ),
  },
  {
    rules: ["PR5", "A2"],
    title: "erasing a conversation leaves every other",
    async run(driver, extent) {
      const family = someOf("conversations of nobody", extent);
      // Each way on other conversations of the same storage.
      const other = (agent: string) => ({
        ...family,
        identities: family.identities.map((who) => ({ ...who, agent })),
      });
      const erase = ({ conversation: id, ...who }: Identity) =>
        driver
          .memory({ ...who, conversation: id })
          .conversation({ id })
          .delete({ derived: true });
      await eraseHalf(driver, family, erase, ["said"]);
      for (const [name, own] of Object.entries(driver.erasures ?? {})) await eraseHalf(driver, other(name), own);
    },
  },
  {
    rules: ["PR5", "F8"],
    title: "forgetting leaves what another remembers under the same key",
    async run(driver, extent) {
      const family = someOf("people", extent);
      await plant(driver, family);
      const [run] = Object.values(driver.runs);
      await Promise.all(
        family.identities
          .filter((_, index) => isOdd(index))
          .map((who) => run?.run(who, orderCalls("Forget it.", [{ tool: "memory_forget", input: { key: "code" } }]))),
      );
      // The words with which it was remembered are in the transcript still.
      const isThere = (index: number, kind: string, way: string) =>
        !isOdd(index) || kind !== "fact" || (way === "the block of the prompt" ? false : null);
      none(await readAll(driver, family, isThere));
    },
  },
  {
    rules: ["PR5", "O3"],
    title: "tools of another agent's memory write to that one, and read nothing of the run's own",
    async run(driver, extent) {
      const { runWithToolsOf } = driver;
      if (runWithToolsOf === undefined) return;
      const family = someOf("people", extent);
      await plant(driver, family);
      const value = "the shared locker code";
      const factsOf = ({ subject = "", ...who }: Identity) =>
        driver
          .memory({ ...who, subject })
          .subject(subject)
          .facts();
      for (const who of family.identities) {
        const team = { ...who, agent: "team" };
        const calls = [
          { tool: "memory_remember", input: { key: "shared", value } },
          { tool: "memory_search", input: { query: "locker code", k: 20 } },
        ];
        await runWithToolsOf(who, team, orderCalls("Share it.", calls));
        const [own, shared] = await Promise.all([factsOf(who), factsOf(team)]);
        const isOwn = own.some((fact) => fact.value === value);
        const isShared = shared.some((fact) => fact.value === value);
        none(isShared && !isOwn ? [] : [`${JSON.stringify(who)} doesn't see its own in the memory of its tools`]);
      }
      none(await readAll(driver, family));
    },
  },
  {
    rules: ["PR5", "F13"],
    title: "a conversation of somebody whose id is alike shows nothing, and takes nothing",
    async run(driver, extent) {
      const family = someOf("people", extent);
      await plant(driver, family);
      const others = family.identities.map(({ conversation }, index) => ({
        ...(family.identities[(index + 1) % family.identities.length] as Identity),
        conversation,
      }));
      none(await refusedRuns(driver, others));
      none(await readAll(driver, family));
    },
  },
  {
    rules: ["PR5", "G10"],
    title: "an id that can't be kept exactly is nobody's, and shows nothing",
    async run(driver, extent) {
      const family = someOf("people", extent);
      await plant(driver, family);
      const [base] = family.identities;
      const impossible = IMPOSSIBLE_IDS.flatMap((id, index) => [
        { ...(base as Identity), subject: id, conversation: `odd-${index}` },
        { ...(base as Identity), conversation: id },
      ]);
      none(await refusedRuns(driver, impossible));
      none(await readAll(driver, family));
    },
  },
];
