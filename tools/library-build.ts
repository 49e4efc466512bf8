import type { UserConfig } from "tsdown";

/** How every published package is built: one ESM entry with declarations, dependencies left outside. */
export const libraryBuild: UserConfig = {
  entry: "src/index.ts",
  format: "esm",
  platform: "neutral",
  target: "es2024",
  tsconfig: "tsconfig.src.json",
  dts: { sourcemap: true },
  // A type from a devDependency would be copied into our declarations.
  deps: { onlyBundle: [] },
  sourcemap: true,
  outputOptions: {
    // Docs are in the declarations, and comments in the sources, which are published as well: maps point to them.
    comments: { legal: true, annotation: true, jsdoc: false },
    sourcemapExcludeSources: true,
  },
  fixedExtension: false,
  logLevel: "warn",
};
