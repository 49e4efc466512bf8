import { defineProject } from "vitest/config";
import { projectConfig } from "../tools/vitest-project.ts";

const { test, ...config } = projectConfig(import.meta.dirname);

// The server that the PostgreSQL store's own tests bring.
const globalSetup = ["../packages/store-postgres/test/support/global-setup.ts"];

export default defineProject({ ...config, test: { ...test, globalSetup } });
