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
  fixedExtension: false,
  logLevel: "warn",
};
