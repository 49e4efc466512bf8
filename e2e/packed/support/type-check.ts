import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "./run-program.ts";
import { ROOT } from "./workspace.ts";

/** How apps have TypeScript find modules. */
const RESOLUTIONS = {
  node16: { module: "node16", moduleResolution: "node16" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

/** Compiles an app strictly, with libraries checked. Answers the errors in it and in our packages: other libraries' are theirs. */
export async function typeErrors(
  folder: string,
  resolution: keyof typeof RESOLUTIONS,
  files: readonly string[],
): Promise<string[]> {
  const compilerOptions = {
    ...RESOLUTIONS[resolution],
    target: "es2023",
    lib: ["es2023"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: false,
  };
  const config = `tsconfig.${resolution}.json`;
  writeFileSync(join(folder, config), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { code, stdout, stderr } = await runProgram(process.execPath, [tsc, "-p", config, "--pretty", "false"], {
    cwd: folder,
  });
  if (code === 0) return [];
  const errors = `${stdout}\n${stderr}`.split("\n").filter((line) => /error TS/.test(line));
  if (errors.length === 0) throw new Error(`tsc ended with ${code}: ${stdout}${stderr}`);
  return errors.filter((line) => {
    const file = line.slice(0, line.indexOf("error TS"));
    return !file.includes("node_modules/") || file.includes("@throughline/");
  });
}
