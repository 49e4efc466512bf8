import { describe, it } from "vitest";
import type { SkipList } from "../store/plan-store-tests.ts";
import type { SessionBench, SessionCase } from "./session-case.ts";
import { SESSION_CASES } from "./session-cases.ts";

/** How to test a session. */
export interface DescribeSessionOptions {
  /** Gives the body of a test sessions over fresh storage, and clears up behind it. */
  withBench(body: (bench: SessionBench) => Promise<void>): Promise<void>;
  /** Titles that the session is known to fail, each with the reason. They run all the same, and have to fail. */
  skip?: SkipList;
}

/** Registers, with vitest, what every `Session` of the OpenAI Agents SDK has to do. */
export function describeSession(name: string, { withBench, skip = {} }: DescribeSessionOptions): void {
  describe(`the session ${name}`, () => {
    for (const title of Object.keys(skip)) {
      if (!SESSION_CASES.some((known) => known.title === title)) {
        it(`skips "${title}"`, () => {
          throw new Error("No case has this title.");
        });
      }
    }
    for (const sessionCase of SESSION_CASES) {
      const title = `${sessionCase.rules.join("/")}: ${sessionCase.title}`;
      const reason = skip[sessionCase.title];
      if (reason === undefined) it(title, { timeout: 30_000 }, () => withBench((bench) => runCase(sessionCase, bench)));
      else {
        it(`${title} (known to fail: ${reason})`, async () => {
          const passes = await withBench((bench) => runCase(sessionCase, bench)).then(
            () => true,
            () => false,
          );
          if (passes) throw new Error("It passes; take it off the list.");
        });
      }
    }
  });
}

/** Runs one case. Rejects where the behaviour isn't there. */
export async function runCase(sessionCase: SessionCase, bench: SessionBench): Promise<void> {
  if (sessionCase.needsReopen && bench.reopen === undefined) throw new Error("Nothing of it outlives the object.");
  await sessionCase.run(bench);
}
