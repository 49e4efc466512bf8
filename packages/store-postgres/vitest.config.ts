import { defineProject } from "vitest/config";
import { projectConfig } from "../../tools/vitest-project.ts";

const { test, ...config } = projectConfig(import.meta.dirname);

export default defineProject({ ...config, test: { ...test, globalSetup: ["./test/support/global-setup.ts"] } });
