import { parseSync, Visitor } from "oxc-parser";

export type FoundImport = {
  /** The module named, or null if only running the code could tell. */
  readonly specifier: string | null;
  readonly line: number;
};

/** Every way a file can name another module: import, export from, import(), import type, require, references. */
export function findImports(path: string, source: string): FoundImport[] {
  const { program, comments, errors } = parseSync(path, source);
  const error = errors.find(({ severity }) => severity === "Error");
  if (error) throw new SyntaxError(`${path}: ${error.message}`);

  const found: FoundImport[] = [];
  const add = (specifier: string | null, start: number) => {
    found.push({ specifier, line: source.slice(0, start).split("\n").length });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.start),
    ExportAllDeclaration: (node) => add(node.source.value, node.start),
    ExportNamedDeclaration: (node) => node.source && add(node.source.value, node.start),
    ImportExpression: (node) => add(constantText(node.source), node.start),
    TSImportType: (node) => add(constantText(node.source), node.start),
    TSExternalModuleReference: (node) => add(node.expression.value, node.start),
    CallExpression: (node) => {
      if (isLoader(node.callee)) add(constantText(node.arguments[0]), node.start);
    },
  }).visit(program);
  for (const { value, start } of comments) {
    const reference = /^\/\s*<reference\s+(?:types|path)\s*=\s*["']([^"']+)["']/.exec(value);
    if (reference?.[1]) add(reference[1] === "node" ? "node:*" : reference[1], start);
  }
  return found.sort((a, b) => a.line - b.line);
}

type Node = { readonly type?: string; readonly [key: string]: unknown };

/** `require`, `require.resolve`, `import.meta.resolve`, `process.getBuiltinModule` and the like. */
function isLoader(callee: unknown): boolean {
  // Every node of the tree is an object with a type; other fields are looked at before use.
  const { type, object, property } = callee as Node;
  const names = type === "MemberExpression" ? [nameOf(object), nameOf(property)] : [nameOf(callee)];
  return (
    names.at(-1) === "getBuiltinModule" ||
    names.includes("require") ||
    (names[0] === "import.meta" && names[1] === "resolve")
  );
}

function nameOf(node: unknown): string | undefined {
  // As above.
  const { type, name } = node as Node;
  if (type === "MetaProperty") return "import.meta";
  return typeof name === "string" ? name : undefined;
}

function constantText(node: unknown): string | null {
  // As above; a missing argument is no constant.
  const { type, value, quasis, literal } = (node ?? {}) as {
    type?: string;
    value?: unknown;
    quasis?: { value: { cooked: string } }[];
    literal?: unknown;
  };
  if (type === "TSLiteralType") return constantText(literal);
  if (type === "Literal" && typeof value === "string") return value;
  if (type === "TemplateLiteral" && quasis?.length === 1) return quasis[0]?.value.cooked ?? null;
  return null;
}
