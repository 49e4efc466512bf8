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
    reporters: ["default", "./tools/summary-reporter.ts"],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/*.bench.ts", "**/*.examples.ts"],
      reporter: ["text-summary", "html", "json-summary"],
    },
  },
});
