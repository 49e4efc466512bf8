import { memoryTools, toUIMessages, withMemory } from "@throughline/ai-sdk";
import { type Conversation, MemoryError, memoryGuidelines } from "@throughline/core";
import { isStepCount, safeValidateUIMessages, streamText, tool } from "ai";
import { z } from "zod";
import { identify } from "../../../identify.ts";
import { memory } from "../../../memory.ts";
import { model } from "../../../model.ts";

/** What `useChat` sends: which chat, and the client's messages, all of them or only the new one. */
const requestBody = z.object({ id: z.string().min(1), messages: z.array(z.unknown()).min(1) });

const weather = tool({
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: () => "sunny",
});

/** The person's chat; the response where there is none. */
function openChat(request: Request, id: string): Conversation | Response {
  const person = identify(request);
  return person === null ? new Response("Sign in first.", { status: 401 }) : memory.conversation({ id, ...person });
}

/** Another person's chat, an impossible id: the memory says which status fits. */
function refuse(error: unknown): Response {
  if (MemoryError.isInstance(error)) return new Response(error.code, { status: error.httpStatus });
  throw error;
}

/** Answers what was said in a chat as a stream; asked for the same once more, the new answer takes the old one's place. */
export async function POST(request: Request): Promise<Response> {
  if (identify(request) === null) return new Response("Sign in first.", { status: 401 });
  const body = requestBody.safeParse(await request.json().catch(() => null));
  const sent = body.success ? await safeValidateUIMessages({ messages: body.data.messages }) : null;
  if (!body.success || !sent?.success) return new Response("Send { id, messages }.", { status: 400 });

  try {
    const conversation = openChat(request, body.data.id);
    if (conversation instanceof Response) return conversation;
    const tools = { weather, ...memoryTools(conversation) };
    const run = await withMemory(conversation, {
      instructions: `You are a friendly guide. ${memoryGuidelines}`,
      uiMessages: sent.data,
      tools,
      // A client that goes away ends the run, and what was said until then is kept. Without it the run goes on.
      abortSignal: request.signal,
      memory: { onError: ({ code }) => console.warn(`memory: ${code}`) },
    });
    const result = streamText({ model, stopWhen: isStepCount(5), ...run });
    return result.toUIMessageStreamResponse(run.memory.ui);
  } catch (error) {
    return refuse(error);
  }
}

/** The newest page of the chat as it is stored, for a page that is loaded again. */
export async function GET(request: Request): Promise<Response> {
  try {
    const conversation = openChat(request, new URL(request.url).searchParams.get("id") ?? "");
    if (conversation instanceof Response) return conversation;
    return Response.json(toUIMessages((await conversation.transcript({ order: "newest" })).turns));
  } catch (error) {
    return refuse(error);
  }
}
