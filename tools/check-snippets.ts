import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { CheckResult } from "./check-result.ts";
import { withConsumerFolder } from "./consumer-folder.ts";
import { readSnippets, type Snippet } from "./read-snippets.ts";
import { runNode } from "./run-program.ts";
import { listFiles } from "./workspace.ts";

const documents = /^(README\.md|packages\/[^/]+\/README\.md|docs\/.+\.md)$/;
const timeoutMs = 30_000;

/**
 * Type-checks every ts block of the documents and runs it, in a folder of its own, with the workspace's
 * packages at hand; what it prints must be what the document shows.
 */
export async function checkSnippets(root: string): Promise<CheckResult> {
  const problems: string[] = [];
  const snippets: Snippet[] = [];
  for (const path of listFiles(root).filter((file) => documents.test(file))) {
    const read = readSnippets(path, readFileSync(join(root, path), "utf8"));
    snippets.push(...read.snippets);
    problems.push(...read.problems);
  }
  await withConsumerFolder(root, async (folder) => {
    const folders = snippets.map((snippet, index) => {
      const own = join(folder, `snippet-${index}`);
      mkdirSync(own);
      writeFileSync(join(own, "snippet.ts"), snippet.code.map(({ text }) => text).join("\n"));
      return own;
    });
    if (snippets.length > 0) problems.push(...(await typeCheck(root, folder, snippets)));
    const queue = snippets
      .map((snippet, index) => ({ snippet, own: folders[index] ?? folder }))
      .filter(({ snippet }) => snippet.isRun);
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift())
        problems.push(...(await runSnippet(next.snippet, next.own)));
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  });
  return { problems, looked: snippets.length, unit: "snippets" };
}

async function typeCheck(root: string, folder: string, snippets: readonly Snippet[]): Promise<string[]> {
  const compilerOptions = {
    target: "ES2024",
    lib: ["ES2024", "ESNext.Disposable", "DOM", "DOM.AsyncIterable"],
    module: "NodeNext",
    moduleDetection: "force",
    customConditions: ["@throughline/source"],
    types: existsSync(join(folder, "node_modules/@types/node")) ? ["node"] : [],
    strict: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["snippet-*/*.ts"] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { code, stdout, stderr } = await runNode([tsc, "-p", ".", "--pretty", "false"], { cwd: folder });
  if (code === 0) return [];
  const problems: string[] = [];
  for (const line of `${stdout}\n${stderr}`.split("\n")) {
    const [, index, row, message] = /^snippet-(\d+)\/snippet\.ts\((\d+),\d+\): (.+)$/.exec(line) ?? [];
    const snippet = snippets[Number(index)];
    if (snippet) problems.push(`${snippet.path}:${snippet.code[Number(row) - 1]?.line ?? snippet.line}: ${message}`);
    else if (/error TS/.test(line)) problems.push(line);
  }
  return problems.length > 0 ? problems : [`tsc ended with ${code}: ${stdout}${stderr}`];
}

async function runSnippet(snippet: Snippet, folder: string): Promise<string[]> {
  const at = `${snippet.path}:${snippet.line}`;
  // Nothing of the caller's environment: no keys, no time zone, no colours.
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    TZ: "UTC",
    NO_COLOR: "1",
  };
  const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
  const ended = await runNode([...flags, "snippet.ts"], { cwd: folder, env, timeoutMs });
  if (ended.isTimeout) return [`${at}: still running after ${timeoutMs / 1000} s.`];
  if (ended.code !== 0) return [`${at}: ended with ${ended.code}.\n${ended.stderr.trim()}`];
  if (snippet.output === null) return [];
  const printed = ended.stdout.trimEnd().split("\n");
  const promised = snippet.output;
  const length = Math.max(printed.length, promised.length);
  const wrong = Array.from({ length }, (_, index) => index).find((index) => !isSame(promised[index], printed[index]));
  if (wrong === undefined) return [];
  return [
    `${at}: the document shows  ${promised[wrong] ?? "(nothing more)"}\n${at}: the snippet prints ${printed[wrong] ?? "(nothing more)"}`,
  ];
}

/** `…` in a document stands for any text, such as an id or a date. */
function isSame(promised: string | undefined, printed: string | undefined): boolean {
  if (promised === undefined || printed === undefined) return false;
  const pattern = promised
    .trim()
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`).test(printed.trim());
}
