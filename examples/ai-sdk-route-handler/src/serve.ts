import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { POST } from "./app/api/chat/route.ts";
import { memory } from "./memory.ts";

/** What a framework does around a route handler: a web request in, its response out, an abort where the client goes. */
const server = createServer(async (incoming, outgoing) => {
  if (incoming.method !== "POST" || incoming.url !== "/api/chat") {
    outgoing.writeHead(404).end();
    return;
  }
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: "POST",
    headers: { cookie: incoming.headers.cookie ?? "", "content-type": incoming.headers["content-type"] ?? "" },
    body: Readable.toWeb(incoming) as ReadableStream,
    duplex: "half",
    signal: gone.signal,
  } as RequestInit);
  try {
    const response = await POST(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    else {
      const body = Readable.fromWeb(response.body as NodeReadableStream);
      body.on("error", () => outgoing.destroy());
      outgoing.on("close", () => body.destroy());
      body.pipe(outgoing);
    }
  } catch (error) {
    console.error(error);
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  }
});

server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`);
});

process.on("SIGTERM", () => {
  server.closeAllConnections();
  server.close(() => void memory.close());
});
