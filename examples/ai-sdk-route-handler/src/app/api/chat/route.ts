import { memoryTools, withMemory } from "@throughline/ai-sdk";
import { MemoryError, memoryGuidelines } from "@throughline/core";
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  safeValidateUIMessages,
  streamText,
  toUIMessageStream,
} from "ai";
import { z } from "zod";
import { identify } from "../../../identify.ts";
import { memory } from "../../../memory.ts";
import { model } from "../../../model.ts";

/** What the client sends: which chat, and the one new message. The history is the memory's business. */
const requestBody = z.object({ id: z.string().min(1), message: z.unknown() });

/** Answers one message of a chat as a stream. */
export async function POST(request: Request): Promise<Response> {
  const person = identify(request);
  if (person === null) return new Response("Sign in first.", { status: 401 });
  const body = requestBody.safeParse(await request.json().catch(() => null));
  const sent = body.success ? await safeValidateUIMessages({ messages: [body.data.message] }) : null;
  if (!body.success || !sent?.success) return new Response("Send { id, message }.", { status: 400 });

  try {
    const conversation = memory.conversation({ id: body.data.id, ...person });
    const run = await withMemory(conversation, {
      instructions: `You are a friendly guide. ${memoryGuidelines}`,
      messages: await convertToModelMessages(sent.data),
      // A client that goes away ends the run, and what was said until then is kept.
      abortSignal: request.signal,
      memory: { onError: ({ code }) => console.warn(`memory: ${code}`) },
    });
    const result = streamText({ model, tools: memoryTools(conversation), stopWhen: isStepCount(5), ...run });
    return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) });
  } catch (error) {
    // Another person's chat, an impossible id: the memory says which status fits.
    if (MemoryError.isInstance(error)) return new Response(error.code, { status: error.httpStatus });
    throw error;
  }
}
