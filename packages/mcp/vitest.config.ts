import { join } from "node:path";
import { defineProject } from "vitest/config";
import { projectConfig } from "../../tools/vitest-project.ts";

const { test, ...config } = projectConfig(import.meta.dirname);

// The PostgreSQL store's own way to a server; what crosses between identities is tested on it too.
const server = join(import.meta.dirname, "../store-postgres/test/support/global-setup.ts");

export default defineProject({ ...config, test: { ...test, globalSetup: [server] } });
