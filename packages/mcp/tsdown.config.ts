import { defineConfig } from "tsdown";
import { libraryBuild } from "../../tools/library-build.ts";

export default defineConfig([
  libraryBuild,
  // The command runs on Node; what may be imported stays neutral.
  {
    ...libraryBuild,
    entry: { command: "src/command/main.ts" },
    platform: "node",
    tsconfig: "tsconfig.json",
    dts: false,
    clean: false,
  },
]);
