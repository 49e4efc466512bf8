import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answer, type Step } from "./answer.ts";
import { chatRequest, readRequest } from "./read-request.ts";

/** An assistant behind the wire format of chat completions. */
export interface AssistantServer {
  /** With the path up to `/v1`. */
  baseUrl: string;
  close(): Promise<void>;
}

/**
 * Serves the scripted assistant to this machine alone, on a free port, as Ollama or vLLM would serve a model: the agents
 * reach it through the very clients that they reach a real one with. It keeps nothing between two requests, so whatever
 * it knows stands in the request.
 */
export async function assistantServer(): Promise<AssistantServer> {
  const server = createServer((request, response) => {
    answerRequest(request, response).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: text, type: "invalid_request_error" } }));
    });
  });
  await new Promise<void>((done, failed) => server.once("error", failed).listen(0, "127.0.0.1", done));
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  const { model, stream, messages, tools } = chatRequest.parse(JSON.parse(body));
  const step = answer(readRequest({ messages, tools }));
  const head = { id: `chatcmpl-${crypto.randomUUID()}`, created: Math.floor(Date.now() / 1_000), model };
  if (stream) sendStream(response, head, step);
  else sendWhole(response, head, step);
}

type Head = { id: string; created: number; model: string };

const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

const wireCalls = (step: Extract<Step, { calls: unknown }>) =>
  step.calls.map(({ tool, input }, index) => ({
    index,
    id: `call-${crypto.randomUUID()}`,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  }));

function sendWhole(response: ServerResponse, head: Head, step: Step): void {
  const isCall = "calls" in step;
  const message = isCall ? { content: null, tool_calls: wireCalls(step) } : { content: step.say };
  const choice = {
    index: 0,
    message: { role: "assistant", ...message },
    finish_reason: isCall ? "tool_calls" : "stop",
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...head, object: "chat.completion", choices: [choice], usage }));
}

function sendStream(response: ServerResponse, head: Head, step: Step): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choices: object[], more: object = {}) =>
    response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`);
  const delta = (part: object, finish_reason: string | null = null) => send([{ index: 0, delta: part, finish_reason }]);
  delta({ role: "assistant" });
  if ("calls" in step) delta({ tool_calls: wireCalls(step) });
  // Word by word, as a model would send it.
  else for (const content of step.say.match(/\s*\S+|\s+$/g) ?? []) delta({ content });
  delta({}, "calls" in step ? "tool_calls" : "stop");
  send([], { usage });
  response.end("data: [DONE]\n\n");
}
