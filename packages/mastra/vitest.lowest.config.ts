import { fileURLToPath } from "node:url";
import { defineProject } from "vitest/config";
import { projectConfig } from "../../tools/vitest-project.ts";

const config = projectConfig(import.meta.dirname);
const at = (name: string) => fileURLToPath(import.meta.resolve(name));
const entries = ["agent", "agent/message-list", "logger", "memory", "request-context", "storage", "tools", "workflows"];

/** The runs once more with the lowest version of Mastra that `package.json` allows: `npm test -- --project mastra-lowest`. */
export default defineProject({
  ...config,
  resolve: {
    alias: [
      { find: /^@mastra\/core$/, replacement: at("mastra-lowest") },
      ...entries.map((entry) => ({
        find: new RegExp(`^@mastra/core/${entry}$`),
        replacement: at(`mastra-lowest/${entry}`),
      })),
    ],
  },
  test: {
    ...config.test,
    name: "mastra-lowest",
    include: ["test/{large-prompts,matrix,memory-class,peers,runner,steps,sub-agents,tools,wire}.test.ts"],
    typecheck: { enabled: false },
    env: { PEERS: "lowest" },
  },
});
