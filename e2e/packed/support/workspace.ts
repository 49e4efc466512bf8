import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";

/** The repository's root. */
export const ROOT = dirname(dirname(dirname(import.meta.dirname)));

/** Folders in packages/ of what is published. */
export const PUBLISHED: readonly string[] = readdirSync(join(ROOT, "packages")).filter((name) => {
  try {
    // pnpm has checked the shape.
    return (readManifest(name) as { private?: boolean }).private !== true;
  } catch {
    return false;
  }
});

/** The package.json of a folder in packages/, as it stands in the repository. */
export function readManifest(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"));
}

/** The version that the workspace pins of a library. Throws for one that it doesn't pin. */
export function pinned(name: string): string {
  // pnpm has checked the shape.
  const { catalog } = parse(readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8")) as {
    catalog: Record<string, string>;
  };
  const version = catalog[name];
  if (version === undefined) throw new Error(`pnpm-workspace.yaml pins no version of ${name}.`);
  return version;
}
