import type { Memory } from "@throughline/core";
import {
  createAgentUIStreamResponse,
  createUIMessageStream,
  createUIMessageStreamResponse,
  generateText,
  isStepCount,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  wrapLanguageModel,
} from "ai";
import { memoryAgent, memoryMiddleware, withMemory } from "../src/index.ts";
import { type ScriptedStep, scriptedModel } from "./scripted-model.ts";
import { post, serve } from "./serve.ts";
import { tools } from "./test-memory.ts";

/** One request of a client. */
export interface Send {
  text?: string;
  /** Send the whole history. */
  whole?: boolean;
  /** Ask for the last answer once more. */
  again?: boolean;
  /** Answer the call that waits. */
  approve?: boolean;
  /** Calls of `weather` wait for approval. */
  approval?: boolean;
  steps?: number;
  /** Abort at this word. */
  abortAt?: number;
  /** Go away once this was read. */
  leaveAt?: string;
  /** The request's signal is passed on. */
  signal?: boolean;
}

export const HOSTS = [
  "generateText",
  "streamText",
  "agent",
  "middleware",
  "UI response",
  "UI, consumeStream()",
  "UI, merged",
  "UI, agent",
] as const;
export type HostName = (typeof HOSTS)[number];

interface Host extends AsyncDisposable {
  send(send: Send): Promise<void>;
}

const identity = { providerOptions: { throughline: { conversation: "chat", subject: "ada" } } };
const callOf = ({ steps = 9, approval }: Send) => ({
  tools,
  maxRetries: 0,
  stopWhen: isStepCount(steps),
  ...(approval ? { toolApproval: { weather: "user-approval" as const } } : {}),
});

/** An app and its client, each in one of the ways the AI SDK knows. */
export async function hostOf(name: HostName, memory: Memory, script: ScriptedStep[]): Promise<Host> {
  return name.startsWith("UI") ? uiHost(name, memory, script) : modelHost(name, memory, script);
}

/** Aborts at a word: of a plain call, as the model is asked for the step. */
function withAbort(script: ScriptedStep[], abort: () => void, at: number | undefined): ScriptedStep[] {
  if (at === undefined) return script;
  return script.map((step) => (step.wordDelayMs ? { ...step, onWord: (n) => (n === 0 || n >= at) && abort() } : step));
}

async function modelHost(name: HostName, memory: Memory, script: ScriptedStep[]): Promise<Host> {
  const conversation = memory.conversation({ id: "chat", subject: "ada" });
  const middleware = memoryMiddleware(memory);
  let history: ModelMessage[] = [];
  let left = [...script];
  return {
    async send(send) {
      const controller = new AbortController();
      const scripted = scriptedModel(...withAbort(left, () => controller.abort(), send.abortAt));
      const model = name === "middleware" ? wrapLanguageModel({ model: scripted, middleware }) : scripted;
      if (send.again) history = history.slice(0, history.findLastIndex(({ role }) => role === "user") + 1);
      const fresh: ModelMessage[] = send.approve
        ? [approvalOf(history)]
        : send.again || send.text === undefined
          ? []
          : [{ role: "user", content: send.text }];
      // The middleware's app holds the question of an approval itself: the SDK resolves it before a model is asked.
      const isWhole = send.whole || send.again || (send.approve && name === "middleware");
      const messages = isWhole ? [...history, ...fresh] : fresh;
      history.push(...fresh);
      const abortSignal = send.abortAt !== undefined || send.signal ? { abortSignal: controller.signal } : {};
      const call = { model, ...callOf(send) };
      const options =
        name === "middleware"
          ? { ...call, ...identity, messages, ...abortSignal, onError: () => {} }
          : { ...call, ...(await withMemory(conversation, { messages, ...abortSignal, onError: () => {} })) };
      if (name === "generateText") {
        const result = await generateText(options).catch(() => undefined);
        history.push(...(result?.responseMessages ?? []));
      } else {
        const agent = memoryAgent(conversation, { ...call, onError: () => {} });
        const result = name === "agent" ? await agent.stream({ messages, ...abortSignal }) : streamText(options);
        if (!send.signal) void result.consumeStream({ onError: () => {} });
        let text = "";
        for await (const part of result.stream) {
          if (part.type === "text-delta") text += part.text;
          if (send.leaveAt !== undefined && text.includes(send.leaveAt)) {
            controller.abort();
            break;
          }
        }
        if (send.leaveAt === undefined) {
          const said = await Promise.resolve(result.responseMessages).catch(() => []);
          history.push(...said);
        } else await result.consumeStream({ onError: () => {} });
      }
      left = left.slice(scripted.prompts().length);
    },
    async [Symbol.asyncDispose]() {},
  };
}

function approvalOf(history: readonly ModelMessage[]): ModelMessage {
  const parts = history.flatMap(({ content }) => (typeof content === "string" ? [] : [...content]));
  const request = parts.find((part) => part.type === "tool-approval-request");
  if (request?.type !== "tool-approval-request") throw new Error("nothing waits");
  return {
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId: request.approvalId, approved: true }],
  };
}

async function uiHost(name: HostName, memory: Memory, script: ScriptedStep[]): Promise<Host> {
  const conversation = memory.conversation({ id: "chat", subject: "ada" });
  let chat: UIMessage[] = [];
  let left = [...script];
  let count = 0;
  let scripted = scriptedModel();
  let sent: Send = {};
  let controller = new AbortController();

  const route = async (request: Request): Promise<Response> => {
    const uiMessages = (await request.json()) as UIMessage[];
    const signals = [
      ...(sent.signal ? [request.signal] : []),
      ...(sent.abortAt === undefined ? [] : [controller.signal]),
    ];
    const abortSignal = signals.length === 0 ? {} : { abortSignal: AbortSignal.any(signals) };
    const responseId = `answer-${count}`;
    const call = { model: scripted, ...callOf(sent) };
    if (name === "UI, agent") {
      const agent = memoryAgent(memory, {
        ...call,
        onError: () => {},
        identify: () => ({ id: "chat", subject: "ada", uiMessages, memory: { responseId } }),
      });
      const { consumeStream } = await import("ai");
      return createAgentUIStreamResponse({
        agent,
        uiMessages,
        ...abortSignal,
        generateMessageId: () => responseId,
        consumeSseStream: consumeStream,
      });
    }
    const run = await withMemory(conversation, {
      uiMessages,
      ...abortSignal,
      onError: () => {},
      memory: { responseId },
    });
    const start = () => streamText({ ...call, ...run });
    if (name === "UI, merged") {
      const stream = createUIMessageStream({
        ...run.memory.ui,
        execute: ({ writer }) => writer.merge(toUIMessageStream({ stream: start().stream, ...run.memory.ui })),
      });
      return createUIMessageStreamResponse({ stream, ...run.memory.ui });
    }
    const result = start();
    if (name === "UI, consumeStream()") {
      void result.consumeStream({ onError: () => {} });
      return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream, ...run.memory.ui }) });
    }
    return result.toUIMessageStreamResponse(run.memory.ui);
  };
  const server = await serve(route);

  return {
    async send(send) {
      sent = send;
      controller = new AbortController();
      scripted = scriptedModel(...withAbort(left, () => controller.abort(), send.abortAt));
      if (send.again) chat = chat.slice(0, chat.findLastIndex(({ role }) => role === "user") + 1);
      if (send.text !== undefined) {
        chat.push({ id: `question-${++count}`, role: "user", parts: [{ type: "text", text: send.text }] });
      } else count++;
      if (send.approve) {
        for (const part of chat.at(-1)?.parts ?? []) {
          if (!("approval" in part) || part.approval === undefined) continue;
          Object.assign(part, { state: "approval-responded", approval: { ...part.approval, approved: true } });
        }
      }
      const body = send.whole || send.again || send.approve ? chat : chat.slice(-1);
      const answer = await post(server.url, body, send.leaveAt);
      const chunks = answer.match(/^data: \{.*\}$/gm)?.map((line) => JSON.parse(line.slice(6)) as UIMessageChunk) ?? [];
      const last = chat.at(-1);
      const before = last?.role === "assistant" ? { message: last } : {};
      let message: UIMessage | undefined;
      for await (const next of readUIMessageStream({ stream: streamOf(chunks), ...before, onError: () => {} }))
        message = next;
      if (message !== undefined) chat = [...chat.filter(({ id }) => id !== message?.id), message];
      left = left.slice(scripted.prompts().length);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
    },
  };
}

const streamOf = (chunks: UIMessageChunk[]): ReadableStream<UIMessageChunk> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
