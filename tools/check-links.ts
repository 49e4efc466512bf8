import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { CheckResult } from "./check-result.ts";
import { listFiles } from "./workspace.ts";

const link = /\]\(([^()\s]+)\)/g;
const elsewhere = /^[a-z][a-z+.-]*:/i;

/** Reports links of Markdown files to files of the repository, or to headings in them, that aren't there. */
export function checkLinks(root: string): CheckResult {
  const problems: string[] = [];
  let looked = 0;
  for (const path of listFiles(root).filter((file) => file.endsWith(".md"))) {
    proseOf(readFileSync(join(root, path), "utf8")).forEach((line, index) => {
      for (const [, target = ""] of line.matchAll(link)) {
        if (elsewhere.test(target)) continue;
        looked += 1;
        const [to = "", heading] = decodeURI(target).split("#");
        const file = to === "" ? path : posix.join(posix.dirname(path), to);
        if (file.startsWith("../") || !existsSync(join(root, file)))
          problems.push(`${path}:${index + 1}: there is no ${file}.`);
        else if (heading !== undefined && !headingsOf(join(root, file)).includes(heading))
          problems.push(`${path}:${index + 1}: ${file} has no heading #${heading}.`);
      }
    });
  }
  return { problems, looked, unit: "links" };
}

/** The lines of a document; those of code blocks are empty. */
function proseOf(markdown: string): string[] {
  let fence: string | null = null;
  return markdown.split("\n").map((line) => {
    const [, opened] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (opened === undefined) return fence === null ? line.replace(/`[^`]*`/g, (code) => "`".repeat(code.length)) : "";
    if (fence === null) fence = opened;
    else if (opened.startsWith(fence)) fence = null;
    return "";
  });
}

/** The anchors that a page's headings get. */
function headingsOf(path: string): string[] {
  if (!path.endsWith(".md")) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => /^#{1,6}\s+(.+?)\s*$/.exec(line)?.[1] ?? [])
    .map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    );
}
