import { defineConfig } from "tsdown";
import { libraryBuild } from "../../tools/library-build.ts";

// The kit makes temporary directories and runs under vitest: it is for Node.
export default defineConfig({ ...libraryBuild, platform: "node" });
