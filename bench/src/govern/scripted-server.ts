import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const DIMENSIONS = 64;

/** A vector of a text's words: the same words are near, whatever their order. */
function embed(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % DIMENSIONS;
    vector[hash] = (vector[hash] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** An OpenAI-compatible server on this machine that answers as it is told, for peers that speak to one. */
export interface ScriptedServer {
  url: string;
  /** What it answers to the next chat requests. */
  answer: string;
  close(): Promise<void>;
}

export const SCRIPTED_DIMENSIONS = DIMENSIONS;

export async function startScriptedServer(): Promise<ScriptedServer> {
  const scripted = { answer: "{}" };
  const server = createServer(async (request, response) => {
    let raw = "";
    for await (const chunk of request) raw += chunk;
    const body = JSON.parse(raw || "{}") as { input?: string | string[] };
    const json = request.url?.includes("embeddings")
      ? {
          object: "list",
          data: [body.input ?? ""]
            .flat()
            .map((text, index) => ({ index, object: "embedding", embedding: embed(text) })),
        }
      : {
          id: "chatcmpl-1",
          object: "chat.completion",
          choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: scripted.answer } }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(json));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return Object.assign(scripted, {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
