import { parseSync, Visitor } from "oxc-parser";

export type Citation = {
  /** The id of a rule, as it stands there; it may name none. */
  readonly id: string;
  readonly line: number;
};

export type FoundTests = {
  /** Titles looked at, cited or not. */
  readonly tests: number;
  readonly citations: readonly Citation[];
};

type Node = { readonly type?: string; readonly start: number; readonly [key: string]: unknown };

const ids = "[A-Z]{1,4}\\d+(?:[/,]\\s?[A-Z]{1,4}\\d+)*";
/** `W1/PR4: keeps …`, or `keeps … (W1, PR4)`. */
const citing = [new RegExp(`^(${ids}): `), new RegExp(`\\((${ids})\\)$`)];

/**
 * The rules that the tests of a file cite: titles of `it` and `test` in all their forms but those that never run, and
 * cases of a suite, which are objects with `rules` and a `title`. Titles of `describe` don't count.
 */
export function findCitations(path: string, source: string): FoundTests {
  const { program, errors } = parseSync(path, source);
  const error = errors.find(({ severity }) => severity === "Error");
  if (error) throw new SyntaxError(`${path}: ${error.message}`);

  let tests = 0;
  const citations: Citation[] = [];
  const cite = (found: readonly string[], start: number) => {
    tests += 1;
    const line = source.slice(0, start).split("\n").length;
    citations.push(...found.map((id) => ({ id, line })));
  };
  new Visitor({
    CallExpression: (call) => {
      // Every node of the tree is an object with a type and a place; other fields are looked at before use.
      const [title, ...rest] = call.arguments as unknown as Node[];
      const text = titleText(title);
      if (text === null || !isRunningTest(call.callee as unknown as Node) || rest.some(isSkipped)) return;
      cite(idsIn(text), call.start);
    },
    ObjectExpression: (object) => {
      // As above.
      const members = object.properties as unknown as Node[];
      const rules = memberOf(members, "rules");
      if (rules?.type !== "ArrayExpression" || memberOf(members, "title") === undefined) return;
      cite(
        (rules.elements as Node[]).flatMap((element) => titleText(element) ?? []),
        object.start,
      );
    },
  }).visit(program);
  return { tests, citations };
}

function idsIn(title: string): string[] {
  return citing.flatMap((pattern) => pattern.exec(title)?.[1]?.split(/[/,]\s?/) ?? []);
}

/** `it`, `test.each(…)`, `it.skipIf(…)`, but not `it.skip` and `it.todo`. */
function isRunningTest(callee: Node): boolean {
  const { type, object, property, callee: inner, tag, name } = callee;
  if (type === "Identifier") return name === "it" || name === "test";
  // As above: these members are nodes where their owner is of that type.
  if (type === "CallExpression") return isRunningTest(inner as Node);
  if (type === "TaggedTemplateExpression") return isRunningTest(tag as Node);
  if (type !== "MemberExpression") return false;
  return !["skip", "todo"].includes(String((property as Node).name)) && isRunningTest(object as Node);
}

/** The options `{ skip: true }` and `{ todo: true }`. */
function isSkipped({ type, properties }: Node): boolean {
  if (type !== "ObjectExpression") return false;
  return ["skip", "todo"].some((name) => memberOf(properties as Node[], name)?.value === true);
}

function memberOf(members: readonly Node[], name: string): Node | undefined {
  const member = members.find(({ key }) => (key as Node | undefined)?.name === name);
  return member?.value as Node | undefined;
}

/** A text, or the beginning and end of a template around what only running it could tell. */
function titleText(node: Node | undefined): string | null {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node?.type !== "TemplateLiteral") return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
}
