import type { Reporter, TestModule, Vitest } from "vitest/node";

/** How a run ended, in the words of its last line. */
export function summaryLine(count: { passed: number; failed: number; skipped: number }): string {
  return `${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ""}`;
}

/**
 * Prints `N passed, N failed` alone on the last line. A file or a suite that fails outside its
 * tests (an import, a hook) counts as one failure, and so does a run without a single test.
 */
export default class SummaryReporter implements Reporter {
  #line = "0 passed, 0 failed";

  onInit(vitest: Vitest): void {
    if (vitest.config.watch) return;
    // At exit, so that a coverage table can't come after it.
    process.on("exit", () => process.stdout.write(`${this.#line}\n`));
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) count.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === "pending" ? "failed" : state] += 1;
      }
    }
    if (count.passed + count.failed === 0) count.failed = 1;
    if (count.failed > 0) process.exitCode = 1;
    this.#line = summaryLine(count);
  }
}
