import {
  type Conversation,
  type Message,
  type MessageInput,
  memoryTools,
  type OpenTurn,
  type ToolCallPart,
  type ToolResultPart,
} from "@throughline/core";
import { type ChatAnswer, chatMessages, readChatAnswer } from "./chat-client.ts";
import type { StoryHost, StoryInput, StoryTool, StoryWorld } from "./story-host.ts";

/** No framework: a loop over core's own calls. What it leaves in a store is what every other host is compared with. */
export const coreHost: StoryHost = {
  name: "core alone",
  open(world) {
    const { agentName } = world;
    return {
      async say(text, input) {
        const messages = [{ role: "user" as const, content: text }];
        await loop(world, await input.conversation.begin({ messages, agentName }), input);
      },
      async decide(approved, input) {
        const turn = await input.conversation.resume();
        const call = turn === null ? undefined : waitingCall(turn.messages);
        if (turn === null || call === undefined) throw new Error("No call waits.");
        const { callId, tool } = call;
        turn.append([
          { role: "tool", parts: [{ type: "approval", callId, state: approved ? "approved" : "denied" }] },
          approved
            ? await answerOf(world, turn, call, input)
            : { role: "tool", parts: [{ type: "tool-result", callId, tool, output: "Not approved.", isError: true }] },
        ]);
        await loop(world, turn, input);
      },
    };
  },
};

/** Asks the model and runs what it calls until it has answered, or is stopped, or a call waits for a person. */
async function loop(world: StoryWorld, turn: OpenTurn, input: StoryInput): Promise<void> {
  const waits = new Set(world.tools.filter(({ needsApproval }) => needsApproval).map(({ name }) => name));
  for (;;) {
    let said = "";
    let answer: ChatAnswer;
    try {
      answer = await ask(world, turn, {
        ...input,
        onText(text) {
          said += text;
          input.onText(text);
        },
      });
    } catch (error) {
      const partial: MessageInput[] = said === "" ? [] : [{ role: "assistant", content: said }];
      await (input.signal.aborted ? turn.abort(partial) : turn.fail(error, partial));
      return;
    }
    if (answer.calls.length === 0) {
      await turn.complete([{ role: "assistant", content: answer.text }]);
      return;
    }
    const calls = answer.calls.map(
      ({ id, name, arguments: given }): ToolCallPart => ({
        type: "tool-call",
        callId: id,
        tool: name,
        input: JSON.parse(given),
      }),
    );
    const parts = calls.flatMap((call) => [
      call,
      ...(waits.has(call.tool)
        ? [{ type: "approval" as const, callId: call.callId, state: "requested" as const }]
        : []),
    ]);
    const words = answer.text === "" ? [] : [{ type: "text" as const, text: answer.text }];
    turn.append([{ role: "assistant", parts: [...words, ...parts] }]);
    if (calls.some(({ tool }) => waits.has(tool))) {
      await turn.pause();
      return;
    }
    for (const call of calls) turn.append([await answerOf(world, turn, call, input)]);
  }
}

/** Runs one call: the message that answers it, a large result as its preview. */
async function answerOf(
  world: StoryWorld,
  turn: OpenTurn,
  { callId, tool, input }: ToolCallPart,
  { conversation, signal }: StoryInput,
): Promise<MessageInput> {
  const own = world.tools.find(({ name }) => name === tool);
  const call = { callId, signal };
  let result: ToolResultPart;
  try {
    const output =
      own === undefined
        ? ((await memoryTools(turn.conversation)
            .find(({ name }) => name === tool)
            ?.run(input, call)) ?? "No such tool.")
        : await runOwn(own, input, conversation);
    result = await turn.offload({ type: "tool-result", callId, tool, output });
  } catch (error) {
    result = { type: "tool-result", callId, tool, output: String(error), isError: true };
  }
  return { role: "tool", parts: [result] };
}

const runOwn = (tool: StoryTool, input: unknown, conversation: Conversation): Promise<string> =>
  tool.run(tool.input.parse(input), conversation);

const waitingCall = (messages: readonly Message[]): ToolCallPart | undefined =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-call")).at(-1);

async function ask(world: StoryWorld, turn: OpenTurn, { signal, onText }: StoryInput): Promise<ChatAnswer> {
  const { baseURL, instructions } = world;
  const system = [instructions, turn.system].filter((text) => text !== "").join("\n\n");
  const messages = [{ role: "system", content: system }, ...chatMessages(turn.messages)];
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "local", stream: true, messages }),
    signal,
  });
  return readChatAnswer(response, onText);
}
