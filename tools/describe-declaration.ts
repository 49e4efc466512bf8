import type { parseSync } from "oxc-parser";

/** A public name of a package, or a member of one. */
export type PublicName = {
  /** `path:line` of its declaration. */
  readonly at: string;
  /** `createMemory`, `MemoryOptions.agent`. */
  readonly name: string;
  /** Its docstring; empty where there is none. */
  readonly doc: string;
  /** Text of a member's type, `=>` for a method; null for what isn't a member. */
  readonly type: string | null;
};

/** A node of oxc's tree; every field but these is looked at before it is used. */
export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};

/** A parsed file. */
export type ParsedFile = {
  readonly path: string;
  readonly source: string;
  readonly body: readonly Node[];
  readonly comments: ReturnType<typeof parseSync>["comments"];
  /** Why nothing of it could be read. */
  readonly error?: string;
};

/** The names that a statement declares, each followed by its public members. Overloads are one name. */
export function describeStatement(file: ParsedFile, statement: Node): PublicName[] {
  const declaration = isNode(statement.declaration) ? statement.declaration : statement;
  const declared = declaration.type === "VariableDeclaration" ? nodesOf(declaration.declarations) : [declaration];
  return declared.flatMap((one) => {
    const name = nameOf(one.id);
    if (name === null) return [];
    const own = { at: placeOf(file, statement.start), name, doc: docBefore(file, statement.start), type: null };
    return [own, ...memberLists(one).flatMap((list) => describeMembers(file, name, list))];
  });
}

/** The name of an identifier or of a quoted key. */
export function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (typeof node.name === "string" && node.type !== "PrivateIdentifier") return node.name;
  return typeof node.value === "string" ? node.value : null;
}

/** Whether something is a node of the tree. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The nodes of a list. */
export function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A body with members: one of an alias's object types, an interface's, a class's. */
type MemberList = { readonly members: readonly Node[]; readonly start: number };

/** The bodies of a declaration; an alias has one for each object type that it is put together from. */
function memberLists(node: Node): MemberList[] {
  const listsOf = (value: unknown) => (isNode(value) ? memberLists(value) : []);
  switch (node.type) {
    case "TSInterfaceDeclaration":
    case "ClassDeclaration":
      return isNode(node.body) ? [{ members: nodesOf(node.body.body), start: node.body.start }] : [];
    case "TSTypeAliasDeclaration":
    case "TSParenthesizedType":
      return listsOf(node.typeAnnotation);
    case "TSUnionType":
    case "TSIntersectionType":
      return nodesOf(node.types).flatMap(listsOf);
    case "TSTypeLiteral":
      return [{ members: nodesOf(node.members), start: node.start }];
    default:
      return [];
  }
}

/** A docstring of the whole body, as the cases of a union have it, speaks for its members. */
function describeMembers(file: ParsedFile, owner: string, { members, start }: MemberList): PublicName[] {
  const ofAll = docBefore(file, start);
  return members.flatMap((member) => {
    const name = member.computed === true ? null : nameOf(member.key);
    // What overrides a host's own member is documented there.
    const isHidden =
      member.accessibility === "private" || member.accessibility === "protected" || member.override === true;
    if (name === null || name === "constructor" || isHidden) return [];
    const annotation = isNode(member.typeAnnotation) ? member.typeAnnotation.typeAnnotation : null;
    const type = isNode(annotation) ? file.source.slice(annotation.start, annotation.end) : "";
    const isMethod = member.type === "MethodDefinition" || member.type === "TSMethodSignature";
    const doc = docBefore(file, member.start) || ofAll;
    return [{ at: placeOf(file, member.start), name: `${owner}.${name}`, doc, type: isMethod ? "=>" : type }];
  });
}

function docBefore({ source, comments }: ParsedFile, start: number): string {
  const before = comments.filter(({ end }) => end <= start);
  for (let edge = start, index = before.length - 1; index >= 0; index--) {
    const comment = before[index];
    // A union's bar and a bracket may stand between, as before its cases.
    if (!comment || !/^[\s|&(]*$/.test(source.slice(comment.end, edge))) return "";
    if (comment.type === "Block" && comment.value.startsWith("*"))
      return comment.value
        .replace(/^[\s*]+/gm, " ")
        .replaceAll("*", "")
        .trim();
    // A note to the linter may stand between.
    edge = comment.start;
  }
  return "";
}

function placeOf({ path, source }: ParsedFile, start: number): string {
  return `${path}:${source.slice(0, start).split("\n").length}`;
}
