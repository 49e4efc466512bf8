import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { defaultServerConditions } from "vite";
import type { UserWorkspaceConfig } from "vitest/config";

const nodeConditions = defaultServerConditions.filter((condition) => condition !== "module");

/** Settings of one test project, named after its folder, so that `npm test -- --project core` works. */
export function projectConfig(directory: string): UserWorkspaceConfig {
  return {
    // Workspace packages resolve to their source: tests need no build. Libraries resolve as Node resolves them, which
    // knows no "module": what is behind it is for bundlers, and Node may not be able to load it.
    ssr: { resolve: { conditions: ["@throughline/source", ...nodeConditions] } },
    test: {
      name: basename(directory),
      root: directory,
      // A project doesn't take it from the root's settings. On two cores one would idle: servers and processes that tests start
      // wait for each other.
      maxWorkers: Math.max(2, availableParallelism() - 1),
      // Property tests make thousands of runs; a busy machine must not fail them.
      testTimeout: 60_000,
      include: ["src/**/*.test.ts", "test/**/*.test.ts", "*.test.ts"],
      typecheck: {
        enabled: true,
        include: ["src/**/*.test-d.ts", "test/**/*.test-d.ts"],
        tsconfig: "./tsconfig.json",
        // Errors in source files are for `npm run check`.
        ignoreSourceErrors: true,
      },
    },
  };
}
