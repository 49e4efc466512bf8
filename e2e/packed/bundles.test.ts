import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { preview } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumer, createConsumer } from "./support/create-consumer.ts";
import { runProgram } from "./support/run-program.ts";
import { CHROMIUM, usePage } from "./support/use-page.ts";

const FOUND = { text: "Rex.", isTold: true, hits: 1, said: 4 };

/** The one file of the Workers runtime; there is none for Windows on ARM. */
const workerd = (() => {
  const cpu = process.arch === "x64" ? "64" : process.arch;
  const system = process.platform === "win32" ? "windows" : process.platform;
  const binary = process.platform === "win32" ? "workerd.exe" : "workerd";
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("workerd"));
    return require.resolve(`@cloudflare/workerd-${system}-${cpu}/bin/${binary}`);
  } catch {
    return undefined;
  }
})();

describe("bundled by Vite", () => {
  let consumer: Consumer;

  beforeAll(async () => {
    consumer = await createConsumer({
      files: ["bundles"],
      packages: ["core", "store-sqlite", "ai-sdk"],
      libraries: ["ai", "zod", "vite"],
    });
  });
  afterAll(() => consumer?.remove());

  const build = async (mode: string) => {
    const ended = await consumer.node(["node_modules/vite/bin/vite.js", "build", "--mode", mode]);
    expect(ended.code, ended.stderr).toBe(0);
    // What a browser or worker hasn't is named where Vite leaves it out.
    expect(ended.stderr + ended.stdout).not.toMatch(/externalized for browser|could not be resolved|is not exported/);
    return join(consumer.folder, `dist-${mode}`);
  };

  it.skipIf(CHROMIUM === undefined && process.env.CI === undefined)(
    "core, the in-memory store and an adapter run in a browser under a strict policy, and ask nobody else",
    async () => {
      const folder = await build("page");
      const server = await preview({
        root: consumer.folder,
        configFile: false,
        logLevel: "silent",
        build: { outDir: folder },
        preview: { port: 0, host: "127.0.0.1" },
      });
      try {
        const visit = await usePage(server.resolvedUrls?.local[0] ?? "", CHROMIUM ?? "chromium");
        expect(visit).toEqual({ found: JSON.stringify(FOUND), complaints: [], strangers: [] });
      } finally {
        await server.close();
      }
    },
  );

  it.skipIf(workerd === undefined && process.env.CI === undefined)(
    "runs in a worker that has nothing of Node, and works on by waitUntil",
    async () => {
      const folder = await build("worker");
      expect(readdirSync(folder)).toEqual(["worker.js"]);
      expect(readFileSync(join(folder, "worker.js"), "utf8")).not.toMatch(/from\s*["']node:|import\(["']node:/);
      const ended = await runProgram(workerd ?? "workerd", ["test", "worker.capnp"], { cwd: consumer.folder });
      expect(ended.code, ended.stderr).toBe(0);
      // Says that the test was run at all.
      expect(`${ended.stdout}${ended.stderr}`).toContain(JSON.stringify(FOUND));
    },
  );

  it("becomes one file for a server, which runs without node_modules", async () => {
    const file = join(await build("server"), "server.js");
    const alone = `${consumer.folder}-alone`;
    mkdirSync(alone);
    try {
      copyFileSync(file, join(alone, "server.mjs"));
      const args = ["--disable-warning=ExperimentalWarning", join(alone, "server.mjs"), join(alone, "memory.db")];
      const ended = await runProgram(process.execPath, args, { cwd: alone });
      expect(ended).toEqual({ code: 0, stdout: `${JSON.stringify(FOUND)}\n`, stderr: "" });
      expect(existsSync(join(alone, "memory.db"))).toBe(true);
    } finally {
      rmSync(alone, { recursive: true, force: true });
    }
  });
});
