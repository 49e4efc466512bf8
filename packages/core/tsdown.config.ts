import { join } from "node:path";
import { defineConfig } from "tsdown";
import { libraryBuild } from "../../tools/library-build.ts";

const src = join(import.meta.dirname, "src");

/**
 * Files of what is loaded later, by where its way in stands; the first that fits. What several need is in the first of
 * them, so that a file imports from those above it alone.
 */
const LATER: readonly (readonly [file: string, ways: RegExp])[] = [
  ["work", /^work\/(?!redrive)/],
  ["rank", /^facts\/rank-facts/],
  ["fold", /^carry-over\/|^conversation\/fold\./],
  ["models", /^models\//],
  ["search", /^search\//],
  ["in-memory-store", /^stores\//],
  ["loops", /^compaction\/|^artifacts\//],
  ["administer", /^conversation\/administer\./],
  ["extract", /^extract\/(?!patterns)/],
  ["patterns", /^extract\/patterns\//],
  ["manage", /^/],
];

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;
}

/** A module and all that is loaded with it. */
function loadedWith(root: string, modules: Modules, found = new Set<string>()): Set<string> {
  if (found.has(root) || !root.startsWith(src)) return found;
  found.add(root);
  for (const id of modules.getModuleInfo(root)?.importedIds ?? []) loadedWith(id, modules, found);
  return found;
}

/** The modules that are loaded later by name: the ways into them. */
function waysIn(entry: string, modules: Modules): string[] {
  const seen = loadedWith(entry, modules);
  const ways = new Set<string>();
  // A set goes on over what is added to it on the way.
  for (const id of seen) {
    for (const way of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? []) {
      if (!way.startsWith(src)) continue;
      ways.add(way);
      loadedWith(way, modules, seen);
    }
  }
  return [...ways];
}

/** Which file each module goes to: `start` for all that the main entry loads, `kit` for what only stores need of it. */
function planFiles(modules: Modules): Map<string, string> {
  const entry = join(src, "index.ts");
  const kit = join(src, "store-kit/index.ts");
  const files = new Map<string, string>();
  const put = (file: string, root: string): void => {
    for (const id of loadedWith(root, modules)) if (!files.has(id)) files.set(id, file);
  };
  put("start", entry);
  put("kit", kit);
  const ways = waysIn(entry, modules);
  const fileOf = (way: string) => LATER.find(([, pattern]) => pattern.test(way.slice(src.length + 1)))?.[0];
  for (const [file] of LATER) for (const way of ways) if (fileOf(way) === file) put(file, way);
  // Were other files to import from the entries themselves, those would have to export more than they promise.
  for (const id of [entry, kit]) files.delete(id);
  return files;
}

let files: Map<string, string> | undefined;

export default defineConfig({
  ...libraryBuild,
  // A dozen stemmers of 8 kB each, whose package is 3.5 MB for its maps and its other languages (THIRD-PARTY.md).
  deps: { onlyBundle: ["@orama/stemmers"] },
  entry: ["src/index.ts", "src/extract/index.ts", "src/store-kit/index.ts"],
  outputOptions: {
    ...libraryBuild.outputOptions,
    chunkFileNames: "[name].js",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          name(id, modules) {
            files ??= planFiles(modules);
            return files.get(id) ?? (id.includes("@orama") ? "stems" : null);
          },
        },
      ],
    },
  },
});
