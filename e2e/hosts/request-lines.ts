import type { Message } from "@throughline/core";
import { messageLine, type WireRequest } from "@throughline/testkit";

/** What a request shows its model, one line for each text, call and result; texts of the system part are `system`. */
export function requestLines(request: WireRequest): string[] {
  if (request.api === "chat") {
    return request.body.messages.flatMap((message) => {
      if (message.role === "tool") return [result(message.tool_call_id, textOf(message.content))];
      const role = message.role === "developer" ? "system" : message.role;
      const text = textOf(message.content ?? "");
      const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
      return [
        ...(text === "" ? [] : [said(role, text)]),
        ...calls.map((entry) => call(entry.id, entry.function.name, entry.function.arguments)),
      ];
    });
  }
  const { instructions, input } = request.body;
  // Any item that the API takes: those that hold a role are messages.
  const items = (typeof input === "string" ? [{ role: "user", content: input }] : input) as Item[];
  return [
    ...(instructions ? [said("system", instructions)] : []),
    ...items.flatMap((item) => {
      if (item.type === "function_call") return [call(item.call_id ?? "", item.name ?? "", item.arguments ?? "")];
      if (item.type === "function_call_output") return [result(item.call_id ?? "", textOf(item.output ?? ""))];
      if (item.role === undefined) return [`${item.type}!`];
      const text = textOf(item.content ?? "");
      // LangChain's client says an empty text beside calls.
      return text === "" ? [] : [said(item.role === "developer" ? "system" : item.role, text)];
    }),
  ];
}

/** What is recorded, in the same lines. */
export function recordedLines(messages: readonly Pick<Message, "role" | "parts">[]): string[] {
  return messages.flatMap(({ role, parts }) =>
    parts.flatMap((part) => {
      if (part.type === "text") return [said(role, part.text)];
      if (part.type === "tool-call") return [call(part.callId, part.tool, JSON.stringify(part.input))];
      if (part.type === "tool-result") return [result(part.callId, String(part.output))];
      // What a model thought stays with its provider.
      return part.type === "reasoning" ? [] : [messageLine({ role, parts: [part] })];
    }),
  );
}

type Text = string | { type: string; text?: string }[];

interface Item {
  type?: string;
  role?: string;
  content?: Text;
  call_id?: string;
  name?: string;
  arguments?: string;
  output?: Text;
}

const said = (role: string, text: string): string => `${role}: ${text}`;
const call = (id: string, name: string, input: string): string => `${name}#${id}(${JSON.stringify(JSON.parse(input))})`;
const result = (id: string, output: string): string => `#${id}=${output}`;
const textOf = (content: unknown): string =>
  typeof content === "string" ? content : (content as { text?: string }[]).map(({ text = "" }) => text).join("");
