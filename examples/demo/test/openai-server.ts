import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { onTestFinished } from "vitest";
import { offlineModel } from "../src/offline/offline-model.ts";

/** Listens until the test ends; gives the port. */
export async function serve(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port;
}

interface WireMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

/** Sends an answer the way OpenAI-compatible servers stream one. */
export function streamAnswer(write: (text: string) => unknown, deltas: readonly object[], reason: string): void {
  const chunk = (delta: object, finish_reason: string | null) =>
    write(`data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  for (const delta of deltas) chunk(delta, null);
  chunk({}, reason);
  write("data: [DONE]\n\n");
}

/** A server that speaks the wire format of chat completions, with the offline model behind it. */
export function openaiServer(): Server {
  let calls = 0;
  const model = offlineModel({ createId: () => `call-${++calls}` });
  return createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { messages, tools } = JSON.parse(body) as {
      messages: WireMessage[];
      tools: { function: { name: string } }[];
    };
    const { content, finishReason } = await model.doGenerate({
      prompt: fromWire(messages),
      tools: tools.map((tool) => ({ type: "function", name: tool.function.name, inputSchema: {} })),
    });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const deltas = content.map((part, index) =>
      part.type === "tool-call"
        ? {
            tool_calls: [
              {
                index,
                id: part.toolCallId,
                type: "function",
                function: { name: part.toolName, arguments: part.input },
              },
            ],
          }
        : { content: part.type === "text" ? part.text : "" },
    );
    streamAnswer((text) => response.write(text), deltas, finishReason.unified === "tool-calls" ? "tool_calls" : "stop");
    response.end();
  });
}

function fromWire(messages: readonly WireMessage[]): LanguageModelV4Prompt {
  const names = new Map<string, string>();
  return messages.map(({ role, content, tool_calls = [], tool_call_id = "" }): LanguageModelV4Prompt[number] => {
    for (const call of tool_calls) names.set(call.id, call.function.name);
    const text = content ?? "";
    if (role === "system") return { role, content: text };
    if (role !== "tool") return { role, content: [{ type: "text", text }] };
    const toolName = names.get(tool_call_id) ?? "";
    return {
      role,
      content: [{ type: "tool-result", toolCallId: tool_call_id, toolName, output: { type: "text", value: text } }],
    };
  });
}
