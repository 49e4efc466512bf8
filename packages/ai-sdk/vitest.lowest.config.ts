import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";
import { projectConfig } from "../../tools/vitest-project.ts";

const config = projectConfig(import.meta.dirname);
const at = (name: string) => fileURLToPath(import.meta.resolve(name));

/** The runs once more with the lowest versions of the peers that `package.json` allows: `npm test -- --project ai-sdk-lowest`. */
export default defineProject({
  ...config,
  resolve: {
    alias: [
      { find: /^ai$/, replacement: at("ai-lowest") },
      { find: /^ai\/test$/, replacement: at("ai-lowest/test") },
      { find: /^zod$/, replacement: at("zod-lowest") },
    ],
  },
  test: {
    ...config.test,
    name: "ai-sdk-lowest",
    include: [
      "src/**/*.test.ts",
      "test/{runs,ui,agent,approvals,middleware,model-parts,peers,scripted-runs,long-loops}.test.ts",
    ],
    typecheck: { enabled: false },
    env: { PEERS: "lowest" },
  },
});
