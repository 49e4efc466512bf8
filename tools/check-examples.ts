import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CheckResult } from "./check-result.ts";
import { runNode } from "./run-program.ts";
import { listPackages } from "./workspace.ts";

const timeoutMs = 120_000;

/** Runs every example offline, with no key. An example checks its own result and exits non-zero when it is wrong. */
export async function checkExamples(root: string): Promise<CheckResult> {
  const examples = listPackages(root).filter(({ folder }) => folder.startsWith("examples/"));
  const problems: string[] = [];
  for (const { folder } of examples) {
    if (!existsSync(join(root, folder, "src/main.ts"))) {
      problems.push(`${folder}/src/main.ts: missing; an example starts there.`);
      continue;
    }
    const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
    const env = {
      PATH: `${dirname(process.execPath)}`,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      TZ: "UTC",
      NO_COLOR: "1",
    };
    const ended = await runNode([...flags, "src/main.ts"], { cwd: join(root, folder), env, timeoutMs });
    if (ended.isTimeout) problems.push(`${folder}: still running after ${timeoutMs / 1000} s.`);
    else if (ended.code !== 0)
      problems.push(`${folder}: ended with ${ended.code}.\n${ended.stdout}${ended.stderr}`.trimEnd());
  }
  return { problems, looked: examples.length, unit: "examples" };
}
