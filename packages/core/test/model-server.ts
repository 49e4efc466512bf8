import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a provider sees it. */
export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as parsed JSON. */
  body: Record<string, unknown>;
  raw: string;
}

/** Answers one request: JSON with a status, or by hand. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string; type?: string }
  | ((response: ServerResponse, request: SeenRequest) => void);

/** A provider on this machine that answers as it is told and keeps what it was sent. */
export interface ModelServer extends AsyncDisposable {
  url: string;
  seen: SeenRequest[];
  /** Answers of the next requests, in order; the last one goes on. */
  replies: Reply[];
}

/** Starts a provider on a free port of the loopback address. */
export async function startModelServer(...replies: Reply[]): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  const queue = replies;
  const server = createServer(async (request, response) => {
    let raw = "";
    request.setEncoding("utf8");
    for await (const chunk of request) raw += chunk;
    const entry = { path: request.url ?? "", headers: request.headers, body: JSON.parse(raw || "{}"), raw };
    seen.push(entry);
    const reply = queue.length > 1 ? queue.shift() : queue[0];
    if (typeof reply === "function") return reply(response, entry);
    response.writeHead(reply?.status ?? 200, { "content-type": reply?.type ?? "application/json", ...reply?.headers });
    response.end(reply?.text ?? JSON.stringify(reply?.json ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    replies: queue,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer of Chat Completions, with fields that the library doesn't know. */
export const chat = (content: unknown, more: Record<string, unknown> = {}): Reply => ({
  json: {
    id: "chatcmpl-1",
    object: "chat.completion",
    system_fingerprint: "fp",
    usage: { prompt_tokens: 9, completion_tokens: 9 },
    choices: [
      {
        index: 0,
        logprobs: null,
        finish_reason: "stop",
        message: { role: "assistant", content, annotations: [] },
        ...more,
      },
    ],
  },
});

/** An answer of the Messages API. */
export const message = (content: unknown, stopReason = "end_turn"): Reply => ({
  json: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: typeof content === "string" ? [{ type: "text", text: content, citations: null }] : content,
    stop_reason: stopReason,
    usage: { input_tokens: 9, output_tokens: 9 },
  },
});
