import type { MessageList } from "@mastra/core/agent/message-list";
import type { MemoryProcessor } from "./memory-processor.ts";

/** Hooks in which a processor of the app can end a run. */
const HOOKS = new Set<string | symbol>([
  "processInput",
  "processInputStep",
  "processLLMRequest",
  "processLLMResponse",
  "processToolResult",
  "processOutputStream",
  "processOutputStep",
  "processOutputResult",
]);

/**
 * The app's processors as they are, except that the memory hears of one that throws or blocks: Mastra then ends the run
 * without telling the others. Workflows of processors stay as they are.
 */
export const guardProcessors = <Given>(given: readonly Given[], memory: MemoryProcessor): Given[] =>
  given.map((processor) => (isProcessor(processor) ? guard(processor, memory) : processor));

const isProcessor = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  [...HOOKS].some((hook) => typeof Reflect.get(value, hook) === "function");

function guard<Given extends object>(processor: Given, memory: MemoryProcessor): Given {
  return new Proxy(processor, {
    get(target, key) {
      // With the processor itself as `this`: a class may have private members.
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== "function") return member;
      if (!HOOKS.has(key)) return member.bind(target);
      return async (hook: { messageList?: MessageList }) => {
        try {
          return await member.call(target, hook);
        } catch (error) {
          if (hook.messageList !== undefined) {
            const isAnswerBlocked = /^process(Output|LLMResponse)/.test(String(key)) && "processorId" in Object(error);
            await memory.broke(hook.messageList, error, isAnswerBlocked);
          }
          throw error;
        }
      };
    },
  });
}
