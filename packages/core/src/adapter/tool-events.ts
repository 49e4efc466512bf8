import type { Json } from "../contract/json.ts";
import type { AgentEvent } from "../contract/models.ts";
import { toJson } from "./to-json.ts";

type MemoryAction = Extract<AgentEvent, { type: "memory" }>["action"];

/** What the memory's own tools do, as a person is told of it. */
const ACTIONS: { readonly [tool: string]: MemoryAction } = {
  memory_remember: "remembered",
  memory_recall: "recalled",
  memory_search: "recalled",
  memory_forget: "forgotten",
};

/** For adapters: the events of a tool's result, and of what the memory did where it was one of the memory's tools. */
export function toolResultEvents(result: Omit<Extract<AgentEvent, { type: "tool_result" }>, "type">): AgentEvent[] {
  const action = Object.hasOwn(ACTIONS, result.tool) ? ACTIONS[result.tool] : undefined;
  const told: AgentEvent = { type: "tool_result", ...result };
  return action === undefined || result.isError ? [told] : [told, { type: "memory", action }];
}

/** For adapters: a host's value as plain JSON; what isn't JSON as a text. */
export function jsonOrText(value: unknown): Json {
  try {
    return toJson(value, "An event");
  } catch {
    return String(value);
  }
}
