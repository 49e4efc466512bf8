import { basename } from "node:path";
import type { UserWorkspaceConfig } from "vitest/config";

const conditions = ["@throughline/source"];

/** Settings of one test project, named after its folder, so that `npm test -- --project core` works. */
export function projectConfig(directory: string): UserWorkspaceConfig {
  return {
    // Workspace packages resolve to their source: tests need no build.
    resolve: { conditions: [...conditions, "module", "node", "development|production"] },
    ssr: { resolve: { conditions: [...conditions, "module", "node", "development|production"], externalConditions: [...conditions, "node"] } },
    test: {
      name: basename(directory),
      root: directory,
      include: ["src/**/*.test.ts", "test/**/*.test.ts", "*.test.ts"],
      execArgv: conditions.map((condition) => `--conditions=${condition}`),
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
