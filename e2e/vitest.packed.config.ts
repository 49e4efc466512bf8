import { join } from "node:path";
import { defineProject } from "vitest/config";
import { projectConfig } from "../tools/vitest-project.ts";

const { test, ...config } = projectConfig(join(import.meta.dirname, "packed"));

// A project of its own: it builds and packs every package, which no other test needs.
export default defineProject({
  ...config,
  test: {
    ...test,
    globalSetup: ["support/pack-packages.ts", "../../packages/store-postgres/test/support/global-setup.ts"],
    typecheck: { enabled: false },
    // An installation waits for the disk, and for the network where npm's cache is empty.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
