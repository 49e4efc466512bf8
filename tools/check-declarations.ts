import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { arrowsOf } from "./arrows.ts";
import type { CheckResult } from "./check-result.ts";
import { withConsumerFolder } from "./consumer-folder.ts";
import { runNode } from "./run-program.ts";
import { listPackages, type WorkspacePackage } from "./workspace.ts";

/** How consumers compile: a server with Node's types and no DOM, and a browser bundle with no Node. */
const consumers = {
  server: { module: "NodeNext", moduleResolution: "NodeNext", lib: ["ES2023"], types: ["node"] },
  browser: { module: "ESNext", moduleResolution: "Bundler", lib: ["ES2023", "DOM"], types: [] },
};

/** Compiles a small consumer against the built declarations, library checks on. Errors inside third-party libraries are theirs. */
export async function checkDeclarations(root: string): Promise<CheckResult> {
  const published = listPackages(root).filter(
    ({ folder, manifest }) => folder.startsWith("packages/") && !manifest.private,
  );
  const unbuilt = published.filter(({ folder }) => !existsSync(join(root, folder, "dist/index.d.ts")));
  const built = published.filter((item) => !unbuilt.includes(item));
  const problems = unbuilt.map(({ folder }) => `${folder}/dist/index.d.ts: not built; run the packages check first.`);
  await withConsumerFolder(root, async (folder) => {
    for (const kind of ["server", "browser"] as const) {
      // The testkit runs where tests run, stores where Node is.
      const packages =
        kind === "server" ? built : built.filter(({ shortName }) => arrowsOf(shortName)?.builtins === false);
      if (packages.length > 0) problems.push(...(await compile(root, folder, kind, packages)));
    }
  });
  return { problems, looked: published.length, unit: "packages" };
}

async function compile(
  root: string,
  folder: string,
  kind: keyof typeof consumers,
  packages: readonly WorkspacePackage[],
): Promise<string[]> {
  const compilerOptions = {
    ...consumers[kind],
    target: "ES2022",
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    verbatimModuleSyntax: true,
  };
  writeFileSync(join(folder, `tsconfig.${kind}.json`), JSON.stringify({ compilerOptions, files: [`${kind}.ts`] }));
  writeFileSync(
    join(folder, `${kind}.ts`),
    packages.map(({ manifest }, index) => `export * as p${index} from "${manifest.name}";\n`).join(""),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout, stderr, code } = await runNode([tsc, "-p", `tsconfig.${kind}.json`, "--pretty", "false"], {
    cwd: folder,
  });
  if (code === 0) return [];
  const errors = `${stdout}\n${stderr}`.split("\n").filter((line) => /error TS/.test(line));
  const ours = errors.filter((line) => !/node_modules\//.test(line.slice(0, line.indexOf("error TS"))));
  return errors.length === 0
    ? [`tsc ended with ${code}: ${stdout}${stderr}`]
    : ours.map((line) => `${kind}: ${line.replace(/^(\.\.\/)+/, "")}`);
}
