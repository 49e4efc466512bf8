import { outputParts, withText } from "../artifacts/tool-output.ts";
import type { Message, Part, ToolResultPart } from "../contract/message.ts";
import { cutAtGrapheme } from "../text/graphemes.ts";
import { withParts } from "./edits.ts";

/** Characters of a result's first line that its stub keeps; the id of an artifact stands within them. */
const FIRST_LINE_CHARS = 160;

/** Results up to this many characters stay: a stub would save next to nothing. */
const SMALL_CHARS = 400;

const STUB = /^\[An old tool result was left out to save room\. Call .{0,700}\]$/s;

function outputText(part: ToolResultPart): string {
  const parts = outputParts(part);
  if (parts === null) return typeof part.output === "string" ? part.output : JSON.stringify(part.output);
  return parts
    .map((inner) =>
      inner.type === "text" || inner.type === "reasoning"
        ? inner.text
        : inner.type === "file"
          ? `[${inner.mediaType}${inner.name === undefined ? "" : ` ${inner.name}`}${
              inner.artifact === undefined ? "" : `, artifact "${inner.artifact}"`
            }]`
          : JSON.stringify(inner),
    )
    .join("\n");
}

/** How many characters of a prompt a result stands for. */
const sizeOf = (part: ToolResultPart): number =>
  (typeof part.output === "string" ? part.output : JSON.stringify(part.output)).length;

/** The stub of a tool result: which call, which tool, how large it was and how it began. */
function stubOf(part: ToolResultPart): ToolResultPart {
  const line = outputText(part).trimStart().split(/\r?\n/, 1)[0]?.trimEnd() ?? "";
  const began = cutAtGrapheme(line, FIRST_LINE_CHARS);
  const text = `[An old tool result was left out to save room. Call ${cutAtGrapheme(part.callId, 128)}, tool ${cutAtGrapheme(
    part.tool,
    128,
  )}, ${sizeOf(part)} characters. It began: ${began}${began === line ? "" : " […]"}]`;
  return withText(part, text);
}

const isStub = (part: ToolResultPart): boolean => typeof part.output === "string" && STUB.test(part.output);

/**
 * The message with stubs in place of its tool results; the same object where there is nothing to gain. A stub of a stub
 * is that stub. Pure.
 */
export function stubMessage(message: Message): Message {
  let changed = false;
  const parts = message.parts.map((part): Part => {
    if (part.type !== "tool-result" || sizeOf(part) <= SMALL_CHARS || isStub(part)) return part;
    const stub = stubOf(part);
    if (sizeOf(stub) >= sizeOf(part)) return part;
    changed = true;
    return stub;
  });
  return changed ? withParts(message, parts) : message;
}
