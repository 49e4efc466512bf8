import type { Json, Part } from "@throughline/core";
import { exactFileBlock, fromFileBlock, type HostBlock, portableFileBlock } from "./file-block.ts";
import { definedJson, toJson, unsupported } from "./json.ts";
import { HOST_KIND, isObject, readNative, writeNative } from "./native-form.ts";

/** Where the content blocks of the model's thinking have their text. */
const THINKING: { [type: string]: string } = { reasoning: "reasoning", thinking: "thinking" };

const restOf = (members: object) => definedJson(members, "A content block");

/** One content block of a message in the neutral form. What no other part fits is kept whole. */
export function fromBlock(block: HostBlock): Part {
  const { type, ...members } = block;
  if (type === "text" && typeof members.text === "string") {
    const { text, ...rest } = members;
    return { type, text: text as string, ...writeNative({ rest: restOf(rest) }) };
  }
  const words = THINKING[type];
  if (words !== undefined && typeof members[words] === "string") {
    const { [words]: text, ...rest } = members;
    return { type: "reasoning", text: text as string, ...writeNative({ as: type, rest: restOf(rest) }) };
  }
  if (type === "server_tool_call" && typeof members.id === "string" && typeof members.name === "string") {
    const { id, name, args, ...rest } = members;
    return {
      type: "tool-call",
      callId: id as string,
      tool: name as string,
      input: toJson(args, `The input of the tool "${name}"`),
      providerExecuted: true,
      ...writeNative({ as: type, rest: restOf(rest) }),
    };
  }
  return (
    fromFileBlock(block) ?? { type: "custom", kind: `${HOST_KIND}${type}`, value: toJson(block, "A content block") }
  );
}

/** A part of what somebody said as a content block; `null` where it has no place in it. */
export function toBlock(part: Part, exact: boolean): HostBlock | null {
  const { as, rest } = readNative(part);
  const own = exact ? rest : undefined;
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...own };
    case "reasoning": {
      // Only the provider that thought so takes it back.
      const type = as ?? "reasoning";
      return exact ? { type, [THINKING[type] ?? "reasoning"]: part.text, ...own } : null;
    }
    case "file":
      return (exact ? exactFileBlock(part) : null) ?? portableFileBlock(part);
    case "tool-call":
      return exact && as === "server_tool_call"
        ? { type: as, id: part.callId, name: part.tool, args: part.input, ...own }
        : null;
    case "custom":
      return toHostCustom(part, exact);
    default:
      // Sources stand beside the messages, approvals in the graph's interrupts, results in messages of their own.
      return null;
  }
}

function toHostCustom({ kind, value }: { kind: string; value: Json }, exact: boolean): HostBlock | null {
  if (!kind.startsWith(HOST_KIND) || !isObject(value)) throw unsupported(`A part of the kind "${kind}"`);
  // Only the provider it was written for understands it.
  return exact ? { ...value, type: String(value.type) } : null;
}
