// Runs `node <arguments>` in a prepared workspace: a fitting Node, pnpm, dependencies from the lock.
// Works on any Node >= 18 with npm and nothing else; what it fetches goes to .toolchain/.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// What the npm registry has for each platform.
const nodeBuilds = { "linux-x64": "24.22.3", "linux-arm64": "24.22.3", "win-x64": "24.21.0", "darwin-x64": "24.18.1" };
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const toolchain = join(root, ".toolchain");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpmVersion = manifest.packageManager.replace("pnpm@", "");
const isWindows = process.platform === "win32";
const retries = ["--fetch-retries=2", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=3000"];

const say = (text) => process.stderr.write(`throughline: ${text}\n`);
const hasFittingNode = (range) => range.split("||").some((part) => isInRange(process.versions.node, part.trim()));

/** Knows `^1.2.3` and `>=1.2.3`, which is all that `engines.node` uses. */
function isInRange(version, range) {
  const [have, want] = [version, range.replace(/^\D+/, "")].map((text) => text.split(".").map(Number));
  const difference = have.map((number, index) => number - want[index]).find((number) => number !== 0) ?? 0;
  return difference >= 0 && (range.startsWith(">=") || have[0] === want[0]);
}

/** Runs a program with signals passed on; answers how it ended. `quiet` keeps the output for the error message. */
function run(program, args, { quiet = false, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit", ...options });
    let received = null;
    const relays = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => {
      const relay = () => {
        received = signal;
        // A terminal sends Ctrl-C to the child as well.
        if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
      };
      process.on(signal, relay);
      return () => process.off(signal, relay);
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const end = (code, signal, extra = "") => {
      for (const stop of relays) stop();
      resolve({ code: code ?? 128 + constants.signals[signal], signal, received, output: output + extra });
    };
    child.on("error", (error) => end(1, null, String(error)));
    child.on("close", end);
  });
}

/** A silent step with a line at its start, a sign of life, and a plain message when it fails. */
async function step(title, program, args, options) {
  const start = Date.now();
  const seconds = () => `${Math.round((Date.now() - start) / 1000)} s`;
  say(`${title} ...`);
  const pulse = setInterval(() => say(`  still at it (${seconds()})`), 15_000);
  const { code, received, output } = await run(program, args, { quiet: true, ...options });
  clearInterval(pulse);
  if (code === 0) return say(`  done in ${seconds()}`);
  if (received) fail("interrupted; run the command again to go on.", 128 + constants.signals[received]);
  const lines = output.trim().split("\n");
  const unreachable = lines.find((line) =>
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|SOCKET_TIMEOUT|META_FETCH_FAIL/.test(
      line,
    ),
  );
  process.stderr.write(`${unreachable ?? lines.slice(-20).join("\n")}\n`);
  if (unreachable) {
    const advice = "Check the network and `npm config get registry proxy`, then run the command again.";
    fail(`the npm registry can't be reached. ${advice}`, code);
  }
  fail(`this step failed (exit code ${code}).`, code);
}

function fail(message, code = 1) {
  rmSync(join(toolchain, "lock"), { force: true });
  say(message);
  process.exit(code);
}

/** One npm package in a folder of its own. The folder gets its name only when it is complete. */
async function fetchPackage(name, version, title, probe) {
  const target = join(toolchain, `${name}-${version}`);
  if (existsSync(target)) return target;
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  writeFileSync(join(partial, "package.json"), '{ "private": true }\n');
  const flags = [
    "--prefix",
    partial,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
    "--loglevel=error",
    ...retries,
  ];
  const npm = /npm-cli\.c?js$/.test(process.env.npm_execpath ?? "")
    ? [process.execPath, process.env.npm_execpath]
    : ["npm"];
  await step(title, npm[0], [...npm.slice(1), "install", ...flags, `${name}@${version}`], {
    cwd: partial,
    shell: isWindows && npm.length === 1,
  });
  if (probe && (await run(join(partial, probe), ["--version"], { quiet: true })).code !== 0)
    fail("the Node that was fetched doesn't run on this system. Install Node 24 yourself, then run the command again.");
  renameSync(partial, target);
  return target;
}

/** Holds off other bootstraps of this checkout while something is being fetched or installed. */
async function withLock(work) {
  const lock = join(toolchain, "lock");
  mkdirSync(toolchain, { recursive: true });
  for (let waits = 0; ; waits++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (!isAlive(lock)) rmSync(lock, { force: true });
    else if (waits % 50 === 0)
      say("waiting for another run that is installing (if there is none, delete .toolchain/lock) ...");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const result = await work();
  rmSync(lock, { force: true });
  return result;
}

function isAlive(lock) {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The folder of a fitting `node`, and of its headers if it was fetched. */
async function prepareNode() {
  if (hasFittingNode(manifest.engines.node)) return { binary: process.execPath };
  const platform = `${isWindows ? "win" : process.platform}-${process.arch}`;
  const version = nodeBuilds[platform];
  if (!version)
    fail(
      `Node ${process.versions.node} is too old here (needed: ${manifest.engines.node}). Install Node 24, then run the command again.`,
    );
  const name = `node-${platform}`;
  const inside = join("node_modules", name, "bin", isWindows ? "node.exe" : "node");
  const title = `first run: fetching Node ${version}, as this one is ${process.versions.node} (about 50 MB)`;
  const binary = join(await fetchPackage(name, version, title, inside), inside);
  return { binary, headers: dirname(dirname(binary)) };
}

async function preparePnpm() {
  const isCaller =
    process.env.npm_config_user_agent?.startsWith(`pnpm/${pnpmVersion} `) &&
    /\.c?js$/.test(process.env.npm_execpath ?? "");
  if (isCaller) return { script: process.env.npm_execpath };
  const folder = join(
    await fetchPackage("pnpm", pnpmVersion, `first run: fetching pnpm ${pnpmVersion}`),
    "node_modules",
  );
  return { script: join(folder, "pnpm", "bin", "pnpm.cjs"), bin: join(folder, ".bin") };
}

/** Installs when the lock isn't the one that the last complete install used. */
async function install(node, pnpm, env) {
  const stamp = join(root, "node_modules", ".throughline-installed");
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .update(process.platform + process.arch)
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  rmSync(stamp, { force: true });
  const flags = ["--frozen-lockfile", "--config.confirm-modules-purge=false", "--reporter=append-only", ...retries];
  await step(
    "installing dependencies from the lock (up to a minute the first time)",
    node,
    [pnpm, "install", ...flags],
    { cwd: root, env },
  );
  writeFileSync(stamp, lock);
}

const args = process.argv.slice(2);
const { node, pnpm, env } = await withLock(async () => {
  const { binary, headers } = await prepareNode();
  const { script, bin } = await preparePnpm();
  const path = [dirname(binary), bin, process.env.PATH].filter(Boolean).join(delimiter);
  const env = {
    ...process.env,
    PATH: path,
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    npm_config_update_notifier: "false",
    ...(headers && { npm_config_nodedir: headers }),
  };
  if (args[0] !== "pnpm") await install(binary, script, env);
  return { node: binary, pnpm: script, env };
});
const { code, signal } = await run(node, args[0] === "pnpm" ? [pnpm, ...args.slice(1)] : args, { cwd: root, env });
if (signal) process.kill(process.pid, signal);
process.exitCode = code;
