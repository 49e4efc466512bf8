import type { IncomingMessage, ServerResponse } from "node:http";

/** What was written needs a moment to leave before the connection breaks. */
const LEAVE_MS = 30;

/** Reads a request's body as JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/** Answers in one piece. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Answers with an error in the provider's form. */
export function sendError(response: ServerResponse, status: number, error: { message: string; param?: string }): void {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  sendJson(response, status, { error: { type, code: null, param: null, ...error } });
}

/** Begins to answer with server-sent events. */
export const openStream = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream" });
};

/** Sends one event; a `type` in the data is the event's name as well. */
export function sendData(response: ServerResponse, data: object): void {
  const { type } = data as { type?: unknown };
  response.write(`${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
}

/** Ends a stream before its end. */
export function cutShort(response: ServerResponse, how: "fail" | "drop" | "stall"): void {
  if (how === "fail") response.end();
  if (how === "drop") setTimeout(() => response.destroy(), LEAVE_MS);
}
