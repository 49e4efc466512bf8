import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

/** Serves a handler over HTTP as a Node adapter does: a client that goes away aborts the request and cancels the body. */
export async function serve(handle: (request: Request) => Promise<Response>) {
  const answering = new Set<Request>();
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = chunks.length === 0 ? {} : { method: "POST", body: Buffer.concat(chunks) };
    const request = new Request(`http://host${incoming.url}`, { signal: gone.signal, ...body });
    // Node lets go of a request's signal with the request.
    outgoing.once("close", () => answering.delete(request));
    answering.add(request);
    const response = await handle(request);
    // The body is a web stream of Node's own.
    const stream = Readable.fromWeb(response.body as NodeReadableStream);
    outgoing.on("close", () => {
      if (outgoing.writableFinished) return;
      gone.abort();
      stream.destroy();
    });
    stream.on("error", () => {});
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    stream.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Posts and reads the answer; goes away once the answer holds `leaveAt`. Gives what was read. */
export async function post(url: string, body: object, leaveAt?: string): Promise<string> {
  const gone = new AbortController();
  let text = "";
  try {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body), signal: gone.signal });
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString("utf8");
      if (leaveAt !== undefined && text.includes(leaveAt)) gone.abort();
    }
  } catch (error) {
    if (leaveAt === undefined) throw error;
  }
  return text;
}
