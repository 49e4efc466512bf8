import { type CallToolResult, fromJsonSchema, type McpServer } from "@modelcontextprotocol/server";
import { asMemoryError, CODES, MemoryError, type MemoryToolAnswer, memoryTools } from "@throughline/core";
import { NOTICE } from "./convert/notice.ts";
import type { ListedTool, ToolCatalog } from "./convert/tool-catalog.ts";
import type { ObjectSchema } from "./convert/tool-traits.ts";
import type { Reach } from "./identity.ts";

/** Puts the memory's tools among a server's. */
export function registerTools(server: McpServer, reach: Reach, catalog: ToolCatalog): void {
  for (const tool of reach.isNamed ? catalog.named : catalog.unnamed) {
    const { name, title, description, annotations } = tool;
    server.registerTool(
      name,
      { title, description, annotations, inputSchema: shown(tool.input), outputSchema: shown(tool.output) },
      async (given, { mcpReq }) => toResult(await answerCall(reach, tool, given, mcpReq.signal), tool),
    );
  }
}

/** A schema that is shown to clients. The tools check what they are given themselves, and say what to do. */
const shown = (schema: ObjectSchema) =>
  fromJsonSchema<Record<string, unknown>>(
    { ...schema },
    {
      // Whatever it is, the tool looks at it.
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  );

async function answerCall(
  reach: Reach,
  tool: ListedTool,
  given: Record<string, unknown>,
  signal: AbortSignal,
): Promise<MemoryToolAnswer> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(tool.input.properties, name));
  if (unknown !== undefined) {
    const known = Object.keys(tool.input.properties).join(", ");
    return refused(
      new MemoryError(
        "INVALID_ARGUMENT",
        `${tool.name} takes ${known}, and no "${unknown.slice(0, 40)}". Whose memory it is was fixed when the connection began.`,
      ),
    );
  }
  if (given.scope === "conversation" && !reach.isNamed) {
    const why = "No conversation was named when the connection began; leave the scope out, or say user.";
    return refused(new MemoryError("INVALID_ARGUMENT", why));
  }
  try {
    // Tools for facts don't ask whose the conversation is. Who named it may have taken it from a client.
    if (reach.isNamed) await reach.conversation.info({ signal });
  } catch (error) {
    return refused(asMemoryError(error));
  }
  // Core makes exactly the tool that is named.
  const [neutral] = memoryTools(reach.conversation, { only: [tool.name] }) as [ReturnType<typeof memoryTools>[number]];
  // Without an id of the call: a connection numbers its calls anew, and an earlier one's outcome is no answer to a later.
  return neutral.answer(given, { signal });
}

const refused = ({ message, code, retryable }: MemoryError): MemoryToolAnswer => ({
  text: `Not done: ${message}`,
  data: {},
  code,
  retryable,
});

function toResult({ text, data, code, retryable }: MemoryToolAnswer, { isReading }: ListedTool): CallToolResult {
  if (code !== undefined) {
    const meaning = Object.hasOwn(CODES, code) ? CODES[code as keyof typeof CODES].meaning : "";
    const later = retryable ? " The same call may succeed later." : "";
    return {
      isError: true,
      content: [{ type: "text", text: `${text} [${code}]${later}` }],
      structuredContent: { ...data, error: { code, meaning, message: text, retryable: retryable ?? false } },
    };
  }
  const isFound = !Object.values(data).some((member) => Array.isArray(member) && member.length === 0);
  return {
    content: [{ type: "text", text: isReading && isFound ? `${NOTICE}\n${text}` : text }],
    structuredContent: { ...(isReading ? { notice: NOTICE } : {}), ...data },
  };
}
