import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";
import { projectConfig } from "../../tools/vitest-project.ts";

const config = projectConfig(import.meta.dirname);
const at = (name: string) => fileURLToPath(import.meta.resolve(name));

/** The runs once more with the lowest version of the SDK that `package.json` allows: `npm test -- --project openai-agents-lowest`. */
export default defineProject({
  ...config,
  resolve: {
    alias: [
      { find: /^@openai\/agents$/, replacement: at("openai-agents-lowest") },
      { find: /^@openai\/agents\/testing$/, replacement: at("openai-agents-lowest/testing") },
    ],
  },
  test: {
    ...config.test,
    name: "openai-agents-lowest",
    include: [
      "src/**/*.test.ts",
      "test/{agent-runner,long-loops,matrix,peers,run-with-memory,session,session-runs,shared-runs}.test.ts",
    ],
    typecheck: { enabled: false },
    env: { PEERS: "lowest" },
  },
});
