import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "packages/*/vitest.lowest.config.ts",
      "examples/*/vitest.config.ts",
      "bench/vitest.config.ts",
      "e2e/vitest.config.ts",
      "e2e/vitest.packed.config.ts",
      "tools/vitest.config.ts",
    ],
    // On two cores one would idle: servers and processes that tests start wait for each other.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default", "./tools/summary-reporter.ts"],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/*.bench.ts", "**/*.examples.ts"],
      reporter: ["text-summary", "html", "json-summary"],
    },
  },
});
