import { defineConfig } from "tsdown";
import { libraryBuild } from "../../tools/library-build.ts";

export default defineConfig(libraryBuild);
