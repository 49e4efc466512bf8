import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REQUIREMENTS } from "../packages/testkit/src/requirements.ts";
import type { CheckResult } from "./check-result.ts";
import { findCitations } from "./find-citations.ts";
import { listFiles } from "./workspace.ts";

const testFile = /\.(test|test-d)\.tsx?$/;
const suiteFile = /^packages\/testkit\/src\/.*\.ts$/;

/** Rules of parts that aren't built, each group with its reason. */
export type NotYet = readonly { readonly reason: string; readonly ids: readonly string[] }[];

const notYet: NotYet = [
  { reason: "the HTTP surface isn't built", ids: ["H1", "H2", "H3", "H4", "H5"] },
  { reason: "sessions aren't built", ids: ["N1", "N3", "N4", "N5", "N6"] },
  { reason: "the client isn't built", ids: ["K1", "K2"] },
  { reason: "the viewer isn't built", ids: ["U1", "U2", "U3"] },
  { reason: "the command line isn't built", ids: ["D1", "D2"] },
  {
    reason: "measured by bench/recall, on conversations that aren't in the repository",
    ids: ["Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7"],
  },
  { reason: "measured by bench/updates, on conversations that aren't in the repository", ids: ["Y8"] },
  { reason: "measured by bench/summaries, on conversations that aren't in the repository", ids: ["Y9"] },
  { reason: "measured by bench/, which compares times in one run", ids: ["Z2", "Z3", "Z8", "Z9", "Z12"] },
  { reason: "not measured", ids: ["Z11", "PR8"] },
];

/** Every rule by its id, with the place where it is decided. */
export type Rules = Readonly<Record<string, { readonly decidedBy: string }>>;

/**
 * Compares the rules with the tests that cite them. A case of a store suite shows a rule that stores decide; for others
 * it is a part at most.
 */
export function checkRequirements(root: string, rules: Rules = REQUIREMENTS, later: NotYet = notYet): CheckResult {
  const problems: string[] = [];
  const reasons = new Map(later.flatMap(({ ids, reason }) => ids.map((id) => [id, reason] as const)));
  for (const id of reasons.keys())
    if (!Object.hasOwn(rules, id))
      problems.push(`tools/check-requirements.ts: "not yet" names ${id}, which is no rule.`);

  const cited = new Map<string, string>();
  let tests = 0;
  for (const path of listFiles(root).filter((file) => testFile.test(file) || suiteFile.test(file))) {
    const isTest = testFile.test(path);
    try {
      const found = findCitations(path, readFileSync(join(root, path), "utf8"));
      tests += found.tests;
      for (const { id, line } of found.citations) {
        const rule = Object.hasOwn(rules, id) ? rules[id] : undefined;
        if (rule === undefined) problems.push(`${path}:${line}: cites ${id}, which is no rule.`);
        else if ((isTest || rule.decidedBy === "store") && !cited.has(id)) cited.set(id, `${path}:${line}`);
      }
    } catch (error) {
      problems.push(String(error));
    }
  }
  for (const id of Object.keys(rules)) {
    const place = cited.get(id);
    const reason = reasons.get(id);
    if (place === undefined && reason === undefined)
      problems.push(`${id}: no test cites it; write one, or say in tools/check-requirements.ts why not yet.`);
    if (place !== undefined && reason !== undefined)
      problems.push(`${place}: cites ${id}; take it off the list "not yet" (${reason}).`);
  }
  const count = Object.keys(rules).length;
  if (count === 0) problems.push("there is no rule to compare with.");
  return {
    problems,
    looked: tests,
    unit: `tests and cases; ${cited.size} of ${count} rules cited, ${reasons.size} not yet`,
  };
}
