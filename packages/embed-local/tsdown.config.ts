import { defineConfig } from "tsdown";
import { libraryBuild } from "../../tools/library-build.ts";

export default defineConfig({
  ...libraryBuild,
  entry: ["src/index.ts", "src/energetic/index.ts", "src/transformers/index.ts"],
  // Looks for packages, which stay outside, where Node does.
  platform: "node",
});
