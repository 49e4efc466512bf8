import { defineProject } from "vitest/config";
import { projectConfig } from "./vitest-project.ts";

export default defineProject(projectConfig(import.meta.dirname));
