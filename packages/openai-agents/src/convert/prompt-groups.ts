import type { Agent, AgentInputItem } from "@openai/agents";
import { type Json, type PromptGroup, toJson } from "@throughline/core";
import { convertItems } from "./from-items.ts";

/** A prompt's items as messages; what can't be carried over stays with what comes after it. Pure. */
export function promptGroups(items: readonly AgentInputItem[]): PromptGroup<AgentInputItem>[] {
  let from = 0;
  // What can't be carried over is reported where the run is recorded.
  const converted = convertItems(items, () => {});
  return converted.map(({ input: { role, parts }, through }, index) => {
    const own = items.slice(from, index === converted.length - 1 ? undefined : through + 1);
    from = through + 1;
    return { role, parts, items: own };
  });
}

/** An agent's tools as far as they are sent with every call, for their size. Pure. */
export const toolDefinitions = ({ tools }: Pick<Agent, "tools">): Json =>
  tools.flatMap((each) =>
    each.type === "function"
      ? { name: each.name, description: each.description, parameters: toJson(each.parameters, "A tool's input") }
      : [],
  );
