import type { ServerResponse } from "node:http";
import { cutShort, openStream, sendData, sendJson } from "./http-answer.ts";
import { cutOf, type WireAnswer, wordsOf } from "./wire-answer.ts";

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** Answers as the Chat Completions API does. */
export function answerChat(response: ServerResponse, id: string, model: string, answer: WireAnswer): void {
  const calls = answer.calls?.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
  const message = { role: "assistant", content: answer.text ?? null, ...(calls ? { tool_calls: calls } : {}) };
  const choice = { index: 0, message, finish_reason: calls ? "tool_calls" : "stop" };
  sendJson(response, 200, { id, object: "chat.completion", created: 0, model, choices: [choice], usage: USAGE });
}

/** The same as server-sent events. */
export function streamChat(response: ServerResponse, id: string, model: string, answer: WireAnswer): void {
  openStream(response);
  const head = { id, object: "chat.completion.chunk", created: 0, model };
  const send = (delta: object, finish: string | null = null) =>
    sendData(response, { ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  send({ role: "assistant" });
  const cut = cutOf(answer);
  for (const [index, content] of wordsOf(answer.text).entries()) {
    if (index === cut?.after) break;
    send({ content });
  }
  if (cut) {
    if (cut.how === "fail") sendData(response, { error: { message: "The model failed.", type: "server_error" } });
    cutShort(response, cut.how);
    return;
  }
  answer.calls?.forEach((call, index) => {
    const named = { name: call.name, arguments: "" };
    send({ tool_calls: [{ index, id: call.id, type: "function", function: named }] });
    send({ tool_calls: [{ index, function: { arguments: call.arguments } }] });
  });
  send({}, answer.calls ? "tool_calls" : "stop");
  sendData(response, { ...head, choices: [], usage: USAGE });
  response.end("data: [DONE]\n\n");
}
