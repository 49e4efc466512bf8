import type { Message } from "@throughline/core";
import * as z from "zod";

/** What a model said to one request. */
export interface ChatAnswer {
  text: string;
  calls: { id: string; name: string; arguments: string }[];
}

const chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({
        content: z.string().nullish(),
        tool_calls: z
          .array(
            z.object({
              index: z.int(),
              id: z.string().optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string().default("") }),
            }),
          )
          .optional(),
      }),
    }),
  ),
});

/** Messages in the form of the Chat Completions API. */
export function chatMessages(messages: readonly Message[]): object[] {
  return messages.flatMap(({ role, parts }): object[] => {
    const results = parts.flatMap((part) =>
      part.type === "tool-result"
        ? [
            {
              role: "tool",
              tool_call_id: part.callId,
              content: typeof part.output === "string" ? part.output : JSON.stringify(part.output),
            },
          ]
        : [],
    );
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    const calls = parts.flatMap((part) =>
      part.type === "tool-call"
        ? [
            {
              id: part.callId,
              type: "function",
              function: { name: part.tool, arguments: JSON.stringify(part.input) },
            },
          ]
        : [],
    );
    if (text === "" && calls.length === 0) return results;
    return [{ role, content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }, ...results];
  });
}

/** Reads a streamed answer to its end. Throws where the model or the connection breaks. */
export async function readChatAnswer(response: Response, onText: (text: string) => void): Promise<ChatAnswer> {
  if (!response.ok || response.body === null) throw new Error(`The model answers with ${response.status}.`);
  const answer: ChatAnswer = { text: "", calls: [] };
  let rest = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
      for (const { delta } of chunk.parse(JSON.parse(line.slice("data: ".length))).choices) {
        if (delta.content) {
          answer.text += delta.content;
          onText(delta.content);
        }
        for (const { index, id = "", function: given } of delta.tool_calls ?? []) {
          answer.calls[index] ??= { id, name: given.name ?? "", arguments: "" };
          answer.calls[index].arguments += given.arguments;
        }
      }
    }
  }
  return answer;
}
