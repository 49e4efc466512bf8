import { defineProject } from "vitest/config";
import { projectConfig } from "../../tools/vitest-project.ts";

export default defineProject(projectConfig(import.meta.dirname));
