import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listPackages } from "./workspace.ts";

/** A temporary project outside the repository in which every workspace package, and whatever they depend on, can be imported. */
export async function withConsumerFolder<Result>(
  root: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "throughline-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    const packages = listPackages(root);
    for (const { folder: path, manifest } of packages)
      if (path.startsWith("packages/")) link(join(root, path), join(folder, "node_modules", manifest.name));
    for (const path of [...packages.map((item) => item.folder), "."])
      for (const name of installedIn(join(root, path, "node_modules")))
        link(join(root, path, "node_modules", name), join(folder, "node_modules", name));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function installedIn(modules: string): string[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    );
}

function link(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(realpathSync(target), path, "junction");
}
