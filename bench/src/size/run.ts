import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { ROOT, versionOf } from "../lib/folders.ts";
import { install, listInstalled } from "../lib/installation.ts";
import { type BenchResult, describeMachine, type Gate, type ResultRow, today } from "../lib/result.ts";
import { sourceLines } from "./source-lines.ts";

/** What is installed for the whole figure: a store and one adapter. */
const INSTALL = ["core", "store-sqlite", "ai-sdk"];

type Figures = Record<string, number>;

const KB = 1000;
const MB = 1_000_000;
const INSTALLED = "install of core, store-sqlite and ai-sdk without its host";

/** Z10: how much code there is, and what an installation takes. */
export async function runSize({ seed }: { seed: number }): Promise<BenchResult> {
  const adapters = listAdapters();
  // MCP's server brings the store that it keeps its file with.
  const names = ["core", "store-sqlite", ...adapters.filter((name) => !INSTALL.includes(name))];
  const others = install(names, { peers: false });
  const installation = install(INSTALL, { peers: false });
  try {
    const rows: ResultRow[] = [];
    for (const name of ["core", "store-sqlite", ...adapters]) {
      const { folder } = INSTALL.includes(name) ? installation : others;
      const { start, whole } = await sizesOf(name, join(folder, "node_modules/@throughline", name));
      rows.push({ name, figures: whole });
      if (start["raw kB"] !== whole["raw kB"]) rows.push({ name: `· ${name}, loaded at its start`, figures: start });
    }
    const installed = listInstalled(installation.folder);
    const bytes = installed.reduce((sum, one) => sum + one.bytes, 0);
    rows.push({ name: INSTALLED, figures: { "installed MB": bytes / MB, packages: installed.length } });
    const scripts = installed.flatMap((one) => one.installScripts.map((script) => `${one.name}: ${script}`));
    const native = installed.flatMap((one) => one.nativeFiles.map((file) => `${one.name}: ${file}`));
    rows.push({ name: "install scripts and native files", figures: { count: scripts.length + native.length } });
    const gates: Gate[] = [
      { rule: "Z10", row: "core", figure: "gzip kB", most: 60 },
      { rule: "Z10", row: "· core, loaded at its start", figure: "minified gzip kB", most: 60 },
      ...adapters.map((name): Gate => ({ rule: "Z10", row: name, figure: "gzip kB", most: 15 })),
      { rule: "Z10", row: INSTALLED, figure: "installed MB", most: 15 },
      { rule: "Z10", row: "install scripts and native files", figure: "count", most: 0 },
    ];
    return {
      bench: "size",
      title: "Own code of each package, dependencies apart, and what npm puts into an empty project",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: {
        node: process.versions.node,
        "@throughline/core": versionOf(join(ROOT, "packages/core/package.json")),
      },
      setup: { packages: "packed and installed" },
      columns: [
        "source lines",
        "of them apart",
        "gzip kB",
        "minified gzip kB",
        "raw kB",
        "installed MB",
        "packages",
        "count",
      ],
      rows,
      gates,
      notes: [
        "Source lines are those of src without tests, comments and all. Apart are pure converters, and LangGraph's checkpointer.",
        "gzip kB is the published code, names and lines as they are written; minified is what a bundler makes of it. Source maps, declarations and sources are in the installed size only.",
        "Loaded at its start is what an app reads that begins a turn and records it on a store of its own; the rest is loaded as it is first used: the in-memory store, search, folding, drawing facts, models over HTTP, erasing and exporting.",
        `Installed: ${installed.map((one) => `${one.name} ${one.version} (${(one.bytes / MB).toFixed(1)} MB)`).join(", ")}.`,
        ...(scripts.length + native.length > 0 ? [`Found: ${[...scripts, ...native].join(", ")}.`] : []),
      ],
    };
  } finally {
    installation.remove();
    others.remove();
  }
}

/** The packages that adapt a framework: core is their peer, and they are neither a store nor the testkit. */
function listAdapters(): string[] {
  const isAdapter = (name: string): boolean => {
    const manifest = join(ROOT, "packages", name, "package.json");
    if (/^(store-|embed-|testkit$)/.test(name) || !existsSync(manifest)) return false;
    return "@throughline/core" in ((JSON.parse(readFileSync(manifest, "utf8")) as Manifest).peerDependencies ?? {});
  };
  return readdirSync(join(ROOT, "packages")).filter(isAdapter).sort();
}

/** The part of a package.json that is read here. */
type Manifest = { peerDependencies?: Record<string, string> };

/** Sizes of a package: of what its entry loads at once, and of all of it. */
async function sizesOf(name: string, folder: string): Promise<{ start: Figures; whole: Figures }> {
  const dist = join(folder, "dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const atStart = loadedAtStart(dist, "index.js");
  const { lines, apart } = sourceLines(join(ROOT, "packages", name));
  const { start, whole } = await minify(join(dist, "index.js"));
  const published = (names: Iterable<string>) => {
    const code = [...names].map((file) => readFileSync(join(dist, file)));
    return { "raw kB": sum(code.map((text) => text.length)) / KB, "gzip kB": gzipped(code) };
  };
  const installed = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).length);
  return {
    start: { ...published(atStart), "minified gzip kB": gzipped([start]) },
    whole: {
      "source lines": lines,
      "of them apart": apart,
      ...published(files),
      "minified gzip kB": gzipped([whole]),
      "installed MB": sum(installed) / MB,
    },
  };
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
const gzipped = (texts: readonly (string | Buffer)[]) =>
  sum(texts.map((text) => gzipSync(text, { level: 9 }).length)) / KB;

/** A built file and those that it imports, and they import, without waiting for a first use. */
function loadedAtStart(dist: string, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(dist, name), "utf8");
  for (const [, next = ""] of text.matchAll(/^(?:import|export)\b[^"\n]*"(\.[^"]+)";$/gm))
    loadedAtStart(dist, join(dirname(name), next), found);
  return found;
}

/** The package's own code as a bundler makes it small: what is loaded with the entry, and all of it. */
async function minify(entry: string): Promise<{ start: string; whole: string }> {
  const bundle = await rolldown({
    input: entry,
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, comments: false });
  await bundle.close();
  const chunks = output.filter((chunk) => chunk.type === "chunk");
  const started = new Set<string>();
  const start = (fileName: string): void => {
    if (started.has(fileName)) return;
    started.add(fileName);
    for (const next of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? []) start(next);
  };
  start(output[0].fileName);
  const codeOf = (wanted: typeof chunks) => wanted.map(({ code }) => code).join("");
  return { start: codeOf(chunks.filter(({ fileName }) => started.has(fileName))), whole: codeOf(chunks) };
}
