import { z } from "zod";

const chunk = z.object({ type: z.string(), delta: z.string().optional(), toolName: z.string().optional() });

/** What a client saw of one answer. */
export interface Seen {
  status: number;
  text: string;
  tools: string[];
}

/**
 * Says something in a chat as the browser would; goes away after `leaveAfter` words where told to. The same `messageId`
 * again asks for another answer.
 */
export async function say(
  url: string,
  words: string,
  options: { chat: string; session?: string; leaveAfter?: number; messageId?: string },
): Promise<Seen> {
  const { chat, session, leaveAfter, messageId = crypto.randomUUID() } = options;
  const gone = new AbortController();
  const message = { id: messageId, role: "user", parts: [{ type: "text", text: words }] };
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(session === undefined ? {} : { cookie: `session=${session}` }) },
    body: JSON.stringify({ id: chat, messages: [message] }),
    signal: gone.signal,
  });
  const seen: Seen = { status: response.status, text: "", tools: [] };
  if (!response.ok) return { ...seen, text: await response.text() };
  let heard = 0;
  try {
    for await (const event of readEvents(response.body)) {
      if (event.type === "text-delta") seen.text += event.delta ?? "";
      if (event.type === "text-delta" && ++heard === leaveAfter) gone.abort();
      if (event.type === "tool-input-available" && event.toolName) seen.tools.push(event.toolName);
    }
  } catch (error) {
    if (leaveAfter === undefined) throw error;
  }
  return seen;
}

async function* readEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<z.output<typeof chunk>> {
  const decoder = new TextDecoder();
  let buffered = "";
  for await (const bytes of body ?? []) {
    buffered += decoder.decode(bytes, { stream: true });
    const events = buffered.split("\n\n");
    buffered = events.pop() ?? "";
    for (const event of events) {
      const data = event.replace(/^data: /, "");
      if (data !== "" && data !== "[DONE]") yield chunk.parse(JSON.parse(data));
    }
  }
}
