import { basename } from "node:path";
import { defaultServerConditions } from "vite";
import type { UserWorkspaceConfig } from "vitest/config";

/** Settings of one test project, named after its folder, so that `npm test -- --project core` works. */
export function projectConfig(directory: string): UserWorkspaceConfig {
  return {
    // Workspace packages resolve to their source: tests need no build.
    ssr: { resolve: { conditions: ["@throughline/source", ...defaultServerConditions] } },
    test: {
      name: basename(directory),
      root: directory,
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
