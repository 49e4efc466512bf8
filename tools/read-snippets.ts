export type Snippet = {
  /** The document, relative to the root. */
  readonly path: string;
  readonly line: number;
  /** Each line of code with the line of the document it comes from. */
  readonly code: readonly { readonly text: string; readonly line: number }[];
  /** What it must print, line by line; null if the document shows no output. */
  readonly output: readonly string[] | null;
  readonly isRun: boolean;
};

const marker = /^<!--\s*snippet:\s*(.*?)\s*-->$/;

/** Every ts block of a Markdown document, with the output that the document promises. */
export function readSnippets(path: string, markdown: string): { snippets: Snippet[]; problems: string[] } {
  const snippets: Snippet[] = [];
  const problems: string[] = [];
  let option: { name: string; line: number } | null = null;
  for (const block of readBlocks(markdown)) {
    const at = `${path}:${block.line}`;
    if (block.kind === "marker") {
      const [, name, reason] = /^(continues|no-run|no-check)(?:\s+because\s+(.+))?$/.exec(block.text) ?? [];
      if (!name)
        problems.push(
          `${at}: unknown marker "${block.text}"; there are continues, no-run because …, no-check because ….`,
        );
      else if (name !== "continues" && (reason ?? "").length < 10)
        problems.push(`${at}: ${name} needs a reason: no-run because ….`);
      option = name ? { name, line: block.line } : null;
      continue;
    }
    const previous = snippets.at(-1);
    if (block.kind === "text") {
      if (!block.isAdjacent || !previous) continue;
      if (previous.output && previous.output.length > 0 && block.text !== "") {
        problems.push(`${at}: output is shown twice, by comments and by a text block; keep one.`);
      }
      snippets[snippets.length - 1] = { ...previous, output: block.text.split("\n").map((line) => line.trimEnd()) };
      continue;
    }
    const isContinued = option?.name === "continues";
    if (isContinued && !previous) problems.push(`${at}: continues, but there is no block before it.`);
    const own = block.text.split("\n").map((text, index) => ({ text, line: block.line + 1 + index }));
    const promised = promisedBy(own.map(({ text }) => text));
    const start = isContinued ? previous : undefined;
    if (option?.name !== "no-check") {
      snippets.push({
        path,
        line: block.line,
        code: [...(start?.code ?? []), ...own],
        output: start?.output || promised ? [...(start?.output ?? []), ...(promised ?? [])] : null,
        isRun: option?.name !== "no-run" && (start?.isRun ?? true),
      });
    }
    option = null;
  }
  return { snippets, problems };
}

type Block = {
  readonly kind: "ts" | "text" | "marker";
  readonly text: string;
  readonly line: number;
  readonly isAdjacent: boolean;
};

/** ts and text blocks and markers in order; `isAdjacent` if only blank lines stand between it and the ts block before. */
function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split(/\r?\n/);
  let isAdjacent = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const [, indent = "", fence, language] = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? [];
    if (!fence) {
      const text = marker.exec(line.trim())?.[1];
      if (text !== undefined) blocks.push({ kind: "marker", text, line: index + 1, isAdjacent });
      else if (line.trim() !== "") isAdjacent = false;
      continue;
    }
    const start = index + 1;
    const body: string[] = [];
    for (index++; index < lines.length && !(lines[index] ?? "").trim().startsWith(fence); index++) {
      body.push((lines[index] ?? "").replace(new RegExp(`^\\s{0,${indent.length}}`), ""));
    }
    const kind = language === "ts" || language === "typescript" ? "ts" : language === "text" ? "text" : null;
    if (kind) blocks.push({ kind, text: body.join("\n"), line: start, isAdjacent });
    isAdjacent = kind === "ts";
  }
  return blocks;
}

/** The lines that `// => …` comments promise; comment lines directly below go on with the value. */
function promisedBy(lines: readonly string[]): string[] | null {
  const promised: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const [, value] = /\/\/ =>\s?(.*)$/.exec(line) ?? [];
    const [, more] = /^\s*\/\/ {2,}(.*)$/.exec(line) ?? [];
    if (value !== undefined) promised.push(value.trim());
    else if (isOpen && more !== undefined) promised.push(more.trim());
    isOpen = value !== undefined || (isOpen && more !== undefined);
  }
  return promised.length > 0 ? promised : null;
}
