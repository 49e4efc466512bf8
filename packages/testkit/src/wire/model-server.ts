import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerChat, streamChat } from "./answer-chat.ts";
import { answerResponses, type OutputItem, outputItems, streamResponses } from "./answer-responses.ts";
import { type ChatRequestBody, checkChatRequest } from "./check-chat-request.ts";
import { checkResponsesRequest, type ResponsesRequestBody } from "./check-responses-request.ts";
import { readJson, sendError } from "./http-answer.ts";
import { type WireAnswer, WireRefusal } from "./wire-answer.ts";

/** A request that the server took, by the API that was asked. */
export type WireRequest = { api: "chat"; body: ChatRequestBody } | { api: "responses"; body: ResponsesRequestBody };

/** A model behind HTTP that says what the script says. */
export interface ModelServer extends AsyncDisposable {
  /** With the path up to `/v1`. */
  readonly baseURL: string;
  /** The requests it took, in order. */
  readonly requests: readonly WireRequest[];
  /** What it refused, one sentence each. A test of valid requests expects none. */
  readonly refusals: readonly string[];
  /** Adds to the script. */
  answer(...answers: WireAnswer[]): void;
}

/**
 * Serves the Chat Completions and the Responses API on a free port of this machine, plays its answers in turn, and
 * refuses what the provider refuses. A script that has run out answers with status 500.
 */
export async function modelServer(...script: WireAnswer[]): Promise<ModelServer> {
  const answers = [...script];
  const requests: WireRequest[] = [];
  const refusals: string[] = [];
  /** By item id; see `KnownItems`. */
  const reasoningOf = new Map<string, string | null>();
  let count = 0;
  const nextId = (prefix: string): string => `${prefix}_wire${++count}`;

  const keep = (output: readonly OutputItem[]): void => {
    const reasoning = output.find(({ type }) => type === "reasoning")?.id ?? null;
    for (const { id, type } of output) reasoningOf.set(id, type === "reasoning" ? null : reasoning);
  };

  const serve = (request: WireRequest, response: ServerResponse): void => {
    requests.push(request);
    const answer = answers.shift() ?? { status: 500 };
    const { model } = request.body;
    if (answer.status !== undefined) sendError(response, answer.status, { message: "The script says no." });
    else if (request.api === "chat") {
      const play = request.body.stream ? streamChat : answerChat;
      play(response, nextId("chatcmpl"), model, answer);
    } else {
      const output = outputItems(answer, nextId);
      const id = nextId("resp");
      if (request.body.store !== false) keep(output);
      if (request.body.stream) streamResponses(response, { id, model, output, answer });
      else answerResponses(response, id, model, output);
    }
  };

  const server = createServer((request: IncomingMessage, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    void readJson(request)
      .then((body) => {
        if (path.endsWith("/chat/completions")) serve({ api: "chat", body: checkChatRequest(body) }, response);
        else if (path.endsWith("/responses")) {
          serve({ api: "responses", body: checkResponsesRequest(body, { reasoningOf }) }, response);
        } else throw new WireRefusal("", `There is no ${path}.`, 404);
      })
      .catch((error: unknown) => {
        const refused = error instanceof WireRefusal ? error : new WireRefusal("", String(error));
        refusals.push(refused.message);
        sendError(response, refused.status, { message: refused.message, param: refused.param });
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    refusals,
    answer: (...more) => void answers.push(...more),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
