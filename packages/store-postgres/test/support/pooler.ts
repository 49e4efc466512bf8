import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, ordinaryUser } from "./test-server.ts";

/** A `pgbouncer` that belongs to a test file. */
export interface Pooler {
  /** As the superuser, through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** True where Debian's `pgbouncer` is installed. */
export function hasPooler(): boolean {
  return spawnSync("pgbouncer", ["--version"]).status === 0;
}

/** A pooler in transaction mode in front of a server: few connections to it, each lent for one transaction. */
export async function startPooler(serverUrl: string): Promise<Pooler> {
  const server = new URL(serverUrl);
  const home = mkdtempSync(join(tmpdir(), "throughline-pgbouncer-"));
  const user = ordinaryUser();
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid ?? user.uid);
  const port = await freePort();
  const database = server.pathname.slice(1);
  const password = server.password === "" ? "" : ` password=${decodeURIComponent(server.password)}`;
  const config = join(home, "pgbouncer.ini");
  writeFileSync(
    config,
    `[databases]
${database} = host=${server.hostname} port=${server.port || "5432"} user=${server.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
server_reset_query_always = 0
ignore_startup_parameters = extra_float_digits
`,
  );
  const child = spawn("pgbouncer", [config], { ...user, cwd: home, stdio: ["ignore", "ignore", "pipe"] });
  process.once("exit", () => child.kill("SIGKILL"));
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}: ${log}`);
  }
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    stop: async () => {
      child.kill("SIGINT");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.end();
      resolve(true);
    });
    socket.once("error", () => setTimeout(() => resolve(false), 20));
  });
}
