import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "./temporary-workspace.ts";

// Waits until whoever started it is gone.
const wait = "const parent = process.ppid; setInterval(() => process.ppid === parent || process.exit(1), 20);";

// Stands in for pnpm: notes each call, and fails or waits when told to.
const fakePnpm = `
const { appendFileSync, existsSync, mkdirSync } = require("node:fs");
appendFileSync("calls", process.argv[2] + "\\n");
mkdirSync("node_modules", { recursive: true });
if (existsSync("offline")) { console.log("ERR_PNPM_META_FETCH_FAIL getaddrinfo ENOTFOUND"); process.exit(1); }
if (existsSync("slow")) { ${wait} }
`;

// Stands in for npm: "installs" a Node by a link to this one, in two steps.
const fakeNpm = `
const { appendFileSync, existsSync, mkdirSync, symlinkSync } = require("node:fs");
const { join } = require("node:path");
const [name, version] = process.argv.at(-1).split("@");
const root = join(__dirname, "..");
appendFileSync(join(root, "calls"), "npm " + name + "\\n");
if (existsSync(join(root, "offline"))) { console.log("npm error code ENOTFOUND"); process.exit(1); }
const bin = join(process.cwd(), "node_modules", name, "bin");
mkdirSync(bin, { recursive: true });
if (existsSync(join(root, "slow"))) { ${wait} }
else symlinkSync(process.execPath, join(bin, "node"));
`;

/** A checkout with a fitting Node and a pnpm that is already there. */
function checkout(engines = ">=18.0.0"): string {
  const folder = temporaryWorkspace({
    "a checkout é/package.json": JSON.stringify({ packageManager: "pnpm@1.2.3", engines: { node: engines } }),
    "a checkout é/pnpm-lock.yaml": "one",
    "a checkout é/.toolchain/pnpm-1.2.3/node_modules/pnpm/bin/pnpm.cjs": fakePnpm,
    "a checkout é/npm/npm-cli.js": fakeNpm,
    "a checkout é/tools/bootstrap.mjs": readFileSync(join(import.meta.dirname, "bootstrap.mjs"), "utf8"),
  });
  return join(folder, "a checkout é");
}

function start(root: string, args: string[]): ChildProcess {
  const { npm_config_user_agent: _, ...outer } = process.env;
  const npm_execpath = join(root, "npm/npm-cli.js");
  return spawn(process.execPath, [join(root, "tools/bootstrap.mjs"), ...args], {
    env: { ...outer, npm_execpath },
    cwd: tmpdir(),
  });
}

async function run(root: string, args: string[]) {
  const child = start(root, args);
  return { ...(await ended(child)), calls: calls(root) };
}

function ended(
  child: ChildProcess,
): Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => (output.stdout += chunk));
  child.stderr?.on("data", (chunk) => (output.stderr += chunk));
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, ...output })));
}

const calls = (root: string) =>
  existsSync(join(root, "calls")) ? readFileSync(join(root, "calls"), "utf8").trim().split("\n") : [];

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("passes arguments and the exit code through, in the root of the checkout", async () => {
  const script = "console.log(process.cwd(), process.argv.slice(1).join('|')); process.exitCode = 7";
  const { code, stdout } = await run(checkout(), ["-e", script, "--", "--project", "two words"]);
  expect(code).toBe(7);
  expect(stdout).toMatch(/a checkout é --project\|two words\n$/);
});

test("Q2: installs once, and again only for another lock", async () => {
  const root = checkout();
  const first = await run(root, ["-e", ""]);
  expect(first.stderr).toContain("installing dependencies");
  expect(first.calls).toEqual(["install"]);
  const second = await run(root, ["-e", ""]);
  expect(second).toMatchObject({ code: 0, stderr: "", calls: ["install"] });
  writeFileSync(join(root, "pnpm-lock.yaml"), "two");
  expect((await run(root, ["-e", ""])).calls).toEqual(["install", "install"]);
});

test("says plainly that the registry can't be reached, and tries again next time", async () => {
  const root = checkout();
  writeFileSync(join(root, "offline"), "");
  const failed = await run(root, ["-e", "console.log('ran')"]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("registry can't be reached");
  expect(failed.stdout).toBe("");
  rmSync(join(root, "offline"));
  expect(await run(root, ["-e", ""])).toMatchObject({ code: 0, calls: ["install", "install"] });
});

test("takes an interrupted install for not done", async () => {
  const root = checkout();
  writeFileSync(join(root, "slow"), "");
  const child = start(root, ["-e", "console.log('ran')"]);
  const end = ended(child);
  await until(() => calls(root).length === 1);
  child.kill("SIGTERM");
  const { code, stdout, stderr } = await end;
  expect({ code, stdout }).toEqual({ code: 143, stdout: "" });
  expect(stderr).toContain("interrupted");
  rmSync(join(root, "slow"));
  expect(await run(root, ["-e", ""])).toMatchObject({ code: 0, calls: ["install", "install"] });
});

test("recovers from a run that was killed in the middle", async () => {
  const root = checkout();
  writeFileSync(join(root, "slow"), "");
  const child = start(root, ["-e", ""]);
  const end = ended(child);
  await until(() => calls(root).length === 1);
  child.kill("SIGKILL");
  await end;
  expect(existsSync(join(root, ".toolchain/lock"))).toBe(true);
  rmSync(join(root, "slow"));
  expect(await run(root, ["-e", ""])).toMatchObject({ code: 0, calls: ["install", "install"] });
});

test("lets two first runs install only once", async () => {
  const root = checkout();
  const both = await Promise.all([run(root, ["-e", ""]), run(root, ["-e", ""])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(calls(root)).toEqual(["install"]);
});

test("passes signals on, and ends by the same one", async () => {
  const root = checkout();
  const script =
    "process.on('SIGTERM', () => { console.log('told'); process.exit(5) }); console.log('up'); setInterval(() => {}, 1000)";
  const polite = start(root, ["-e", script]);
  const politeEnd = ended(polite);
  polite.stdout?.once("data", () => polite.kill("SIGTERM"));
  expect(await politeEnd).toMatchObject({ code: 5, stdout: "up\ntold\n" });

  const plain = start(root, ["-e", "console.log('up'); setInterval(() => {}, 1000)"]);
  const plainEnd = ended(plain);
  plain.stdout?.once("data", () => plain.kill("SIGINT"));
  expect(await plainEnd).toMatchObject({ code: null, signal: "SIGINT" });
});

test("gives stdin to the program", async () => {
  const child = start(checkout(), [
    "-e",
    "process.stdin.on('data', (data) => console.log(String(data).toUpperCase()))",
  ]);
  const end = ended(child);
  child.stdin?.end("hello");
  expect((await end).stdout).toBe("HELLO\n");
});

test("turns telemetry off and puts pnpm on the path", async () => {
  const { stdout } = await run(checkout(), [
    "-e",
    "const { DO_NOT_TRACK, TURBO_TELEMETRY_DISABLED, PATH } = process.env; console.log(DO_NOT_TRACK, TURBO_TELEMETRY_DISABLED, PATH)",
  ]);
  expect(stdout).toMatch(/^1 1 .*pnpm-1\.2\.3/);
});

test("runs pnpm itself without an install before it", async () => {
  expect((await run(checkout(), ["pnpm", "add", "x"])).calls).toEqual(["add"]);
});

test.each([
  [`^${process.versions.node}`, true],
  [`^1.0.0 || ^${process.versions.node}`, true],
  [`>=${process.versions.node}`, true],
  ["^18.0.0 || >=18.0.0", true],
  ["^1.0.0", false],
  ["^999.0.0 || >=1000.0.0", false],
  [`>=${process.versions.node.replace(/\d+$/, (patch) => String(Number(patch) + 1))}`, false],
])("takes the running Node for %s: %s", async (engines, isFitting) => {
  const root = checkout(engines);
  writeFileSync(join(root, "offline"), "");
  const { stderr } = await run(root, ["-e", ""]);
  expect(stderr.includes("fetching Node")).toBe(!isFitting);
});

const platform = `${process.platform}-${process.arch}`;
const canFetch = ["linux-x64", "linux-arm64", "darwin-x64"].includes(platform);

test.runIf(canFetch)("fetches a Node once where this one doesn't fit, and runs that", async () => {
  const root = checkout("^1.0.0");
  const script = "console.log(JSON.stringify([process.env.PATH.split(':')[0], process.env.npm_config_nodedir]))";
  const first = await run(root, ["-e", script]);
  expect(first.calls).toEqual([`npm node-${platform}`, "install"]);
  const [path, headers] = JSON.parse(first.stdout);
  expect(path).toMatch(new RegExp(`\\.toolchain/node-${platform}-[\\d.]+/node_modules/node-${platform}/bin$`));
  expect(`${headers}/bin`).toBe(path);
  expect((await run(root, ["-e", ""])).calls).toEqual(first.calls);
});

test.runIf(canFetch)("never takes a half fetched Node for a whole one", async () => {
  const root = checkout("^1.0.0");
  writeFileSync(join(root, "slow"), "");
  const child = start(root, ["-e", ""]);
  const end = ended(child);
  await until(() => calls(root).length === 1);
  child.kill("SIGKILL");
  await end;
  rmSync(join(root, "slow"));
  const { code, calls: all } = await run(root, ["-e", ""]);
  expect({ code, all }).toEqual({ code: 0, all: [`npm node-${platform}`, `npm node-${platform}`, "install"] });
});
