import type { ServerResponse } from "node:http";
import { cutShort, openStream, sendData, sendJson } from "./http-answer.ts";
import { cutOf, type WireAnswer, wordsOf } from "./wire-answer.ts";

/** An item of an answer, with the id that the server gave it. */
export type OutputItem = { id: string; type: "reasoning" | "message" | "function_call" };

const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

type TextItem = OutputItem & { content: { type: "output_text"; text: string; annotations: [] }[] };
type CallItem = OutputItem & { arguments: string };

/** The items of an answer. */
export function outputItems(answer: WireAnswer, nextId: (prefix: string) => string): OutputItem[] {
  const items: OutputItem[] = [];
  if (answer.reasoning !== undefined) {
    const summary = [{ type: "summary_text", text: answer.reasoning }];
    items.push({ id: nextId("rs"), type: "reasoning", summary } as OutputItem);
  }
  if (answer.text !== undefined) {
    const content = [{ type: "output_text", text: answer.text, annotations: [] }];
    items.push({ id: nextId("msg"), type: "message", role: "assistant", status: "completed", content } as OutputItem);
  }
  for (const call of answer.calls ?? []) {
    const { id: call_id, name, arguments: input } = call;
    items.push({
      id: nextId("fc"),
      type: "function_call",
      call_id,
      name,
      arguments: input,
      status: "completed",
    } as OutputItem);
  }
  return items;
}

const responseOf = (id: string, model: string, status: string, output: readonly OutputItem[]) => ({
  id,
  object: "response",
  created_at: 0,
  model,
  status,
  error: status === "failed" ? { code: "server_error", message: "The model failed." } : null,
  incomplete_details: null,
  output,
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
  usage: status === "in_progress" ? null : USAGE,
});

/** Answers as the Responses API does. */
export function answerResponses(response: ServerResponse, id: string, model: string, output: OutputItem[]): void {
  sendJson(response, 200, responseOf(id, model, "completed", output));
}

/** The same as server-sent events. */
export function streamResponses(
  response: ServerResponse,
  { id, model, output, answer }: { id: string; model: string; output: OutputItem[]; answer: WireAnswer },
): void {
  openStream(response);
  let sequence_number = 0;
  const send = (type: string, data: object) =>
    sendData(response, { type, sequence_number: sequence_number++, ...data });
  const cut = cutOf(answer);
  send("response.created", { response: responseOf(id, model, "in_progress", []) });
  for (const [output_index, item] of output.entries()) {
    send("response.output_item.added", { output_index, item: startOf(item) });
    const at = { item_id: item.id, output_index };
    if (item.type === "message") {
      const part = (item as TextItem).content[0] as TextItem["content"][number];
      const within = { ...at, content_index: 0 };
      send("response.content_part.added", { ...within, part: { ...part, text: "" } });
      for (const [index, delta] of wordsOf(part.text).entries()) {
        if (index === cut?.after) break;
        send("response.output_text.delta", { ...within, delta, logprobs: [] });
      }
      if (cut) {
        if (cut.how === "fail") send("response.failed", { response: responseOf(id, model, "failed", []) });
        cutShort(response, cut.how);
        return;
      }
      send("response.output_text.done", { ...within, text: part.text, logprobs: [] });
      send("response.content_part.done", { ...within, part });
    }
    if (item.type === "function_call") {
      const { arguments: input } = item as CallItem;
      send("response.function_call_arguments.delta", { ...at, delta: input });
      send("response.function_call_arguments.done", { ...at, arguments: input });
    }
    send("response.output_item.done", { output_index, item });
  }
  send("response.completed", { response: responseOf(id, model, "completed", output) });
  response.end();
}

/** An item as it is when it has just begun. */
function startOf(item: OutputItem): object {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "function_call") return { ...item, status: "in_progress", arguments: "" };
  return { ...item, summary: [] };
}
