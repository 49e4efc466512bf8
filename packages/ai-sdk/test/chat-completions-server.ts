import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const toolCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const requestBody = z.object({
  stream: z.boolean().optional(),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.unknown(),
      tool_calls: z.array(toolCall).optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
});

/** A request as it came over the wire. */
export type ChatRequest = z.output<typeof requestBody>;

/** What the server answers to one request. */
export interface Answer {
  text?: string;
  calls?: { id: string; name: string; arguments: string }[];
  /** Answer with this status instead. */
  status?: number;
  /** Close the connection after this many words. */
  dropAfter?: number;
}

/** Is this what a Chat Completions API takes? Every call has its answer directly behind it, and every answer its call. */
export function orphans({ messages }: ChatRequest): string[] {
  const wrong: string[] = [];
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id ?? "")) wrong.push(`result ${message.tool_call_id} without a call`);
      continue;
    }
    for (const id of open) wrong.push(`call ${id} without a result`);
    open = new Set(message.tool_calls?.map(({ id }) => id) ?? []);
  }
  return [...wrong, ...[...open].map((id) => `call ${id} without a result`)];
}

async function readBody(request: IncomingMessage): Promise<ChatRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return requestBody.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
}

function answerStreamed(response: ServerResponse, answer: Answer): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  send({ role: "assistant" });
  const words = answer.text?.match(/\S+\s*/g) ?? [];
  for (const [index, content] of words.entries()) {
    // What was written needs a moment to leave.
    if (index === answer.dropAfter) return void setTimeout(() => response.destroy(), 30);
    send({ content });
  }
  answer.calls?.forEach(({ id, name, arguments: input }, index) => {
    send({ tool_calls: [{ index, id, type: "function", function: { name, arguments: input } }] });
  });
  send({}, answer.calls ? "tool_calls" : "stop");
  response.end("data: [DONE]\n\n");
}

function answerPlain(response: ServerResponse, answer: Answer): void {
  const calls = answer.calls?.map(({ id, name, arguments: input }) => ({
    id,
    type: "function",
    function: { name, arguments: input },
  }));
  const message = { role: "assistant", content: answer.text ?? null, ...(calls ? { tool_calls: calls } : {}) };
  const choice = { index: 0, message, finish_reason: calls ? "tool_calls" : "stop" };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: "x", object: "chat.completion", created: 0, model: "local", choices: [choice] }));
}

/** A server that speaks the Chat Completions API and plays its answers in turn. */
export async function chatCompletionsServer(...answers: Answer[]) {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    requests.push(body);
    const answer = answers.shift() ?? { status: 500 };
    if (answer.status !== undefined) {
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "the script says no", type: "test" } }));
    } else if (body.stream) answerStreamed(response, answer);
    else answerPlain(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
