import { defineConfig } from "tsdown";
import { libraryBuild } from "../../tools/library-build.ts";

// A store may use what Node brings.
export default defineConfig({ ...libraryBuild, platform: "node" });
