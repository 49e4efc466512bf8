import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { GET, POST } from "./app/api/chat/route.ts";
import { memory } from "./memory.ts";
import { page } from "./page/page.ts";

/** Node lets go of a request's signal with the request: one that is still being answered stays here, so that it can end. */
const answering = new Set<Request>();

/** What a framework does around a route handler: a web request in, its response out, an abort where the client goes. */
const server = createServer(async (incoming, outgoing) => {
  const { pathname } = new URL(incoming.url ?? "/", "http://host");
  const shown = pathname === "/api/chat" ? null : await page(pathname);
  if (pathname !== "/api/chat") {
    outgoing.writeHead(shown === null ? 404 : 200, { "content-type": shown?.type ?? "text/plain" }).end(shown?.body);
    return;
  }
  const gone = new AbortController();
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers: { cookie: incoming.headers.cookie ?? "", "content-type": incoming.headers["content-type"] ?? "" },
    ...(incoming.method === "POST" ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {}),
    signal: gone.signal,
  } as RequestInit);
  answering.add(request);
  outgoing.on("close", () => {
    gone.abort();
    answering.delete(request);
  });
  try {
    const response = await (incoming.method === "POST" ? POST : GET)(request);
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
