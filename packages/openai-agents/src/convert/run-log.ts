import type { AgentInputItem, ModelResponse, protocol, RunItem } from "@openai/agents";
import { approvalCall, fromRunItems, type HostItem } from "./from-items.ts";

/** What the host tells of a run's outcome: its result, or the state that an error carries. */
export interface RunData {
  readonly newItems: readonly RunItem[];
  readonly rawResponses: readonly ModelResponse[];
}

/**
 * What is seen of a run while it goes on. The host's own result leaves out what a handoff's filter took away, and some
 * errors come without one.
 */
export interface RunLog {
  /** Before each model call: what the model is shown, and which agent asks. */
  shown(agent: string, input: readonly AgentInputItem[]): void;
  called(agent: string, call: AgentInputItem): void;
  answered(agent: string, call: AgentInputItem, output: string): void;
  /** `message` is what the host answers the call of a handoff with. */
  handedOff(from: string, message: string): void;
  /** Everything this run made, in order. */
  items(data: RunData | null): HostItem[];
}

/** Joins the same item in what different places tell of it. */
function keyOf(item: object): string {
  const { type = "message", callId, id } = item as { type?: string; callId?: string; id?: string };
  return callId !== undefined || id !== undefined ? `${type} ${callId ?? id}` : JSON.stringify(item);
}

const resultKey = (call: protocol.FunctionCallItem): string => `function_call_result ${call.callId}`;

/** Gathers a run. `before` is what a resumed run had made already. */
export function createRunLog(before: RunData | null): RunLog {
  const seen = new Map<string, HostItem>();
  const transfers: { from: string; message: string }[] = [];
  /** The agent of each model call. */
  const askers: string[] = [];
  /** How often each item stood in what the model was shown first. */
  let base: Map<string, number> | null = null;

  const note = (item: AgentInputItem, agent: string): void => {
    seen.set(keyOf(item), { item, agent });
  };

  const made = ({ newItems }: RunData): HostItem[] => {
    const earlier = new Set(before?.newItems.map((item) => item.rawItem ?? item));
    // By identity where the state was kept in this process, and by what they are where it wasn't.
    const keys = count(
      (before?.newItems ?? []).flatMap(({ type, rawItem }) => (rawItem ? [`${type} ${keyOf(rawItem)}`] : [])),
    );
    return fromRunItems(
      newItems.filter((item) => {
        const key = `${item.type} ${keyOf(item.rawItem as object)}`;
        const left = keys.get(key) ?? 0;
        if (left > 0) keys.set(key, left - 1);
        return left === 0 && !earlier.has(item.rawItem ?? item);
      }),
    );
  };

  return {
    shown(agent, input) {
      const counts = count(input.map(keyOf));
      if (base === null) base = counts;
      else {
        const left = new Map(base);
        for (const item of input) {
          const key = keyOf(item);
          const known = left.get(key) ?? 0;
          if (known > 0) left.set(key, known - 1);
          else note(item, askers.at(-1) ?? agent);
        }
      }
      askers.push(agent);
    },
    called(agent, call) {
      if (!seen.has(keyOf(call))) note(call, agent);
    },
    answered(agent, call, output) {
      if (call.type !== "function_call") return;
      const { callId, name } = call;
      if (seen.has(resultKey(call))) return;
      note(
        { type: "function_call_result", callId, name, status: "completed", output: { type: "text", text: output } },
        agent,
      );
    },
    handedOff(from, message) {
      transfers.push({ from, message });
    },
    items(data) {
      if (data === null) return [...seen.values()];
      const told = made(data);
      const responses = data.rawResponses.slice(before?.rawResponses.length ?? 0);
      const known = new Map(
        told.filter(({ asksFor }) => asksFor === undefined).map((entry) => [keyOf(entry.item), entry]),
      );
      const isWhole = responses.every(({ output }) => output.every((item) => known.has(keyOf(item))));
      return isWhole ? told : rebuild(responses, askers, new Map([...seen, ...known]), told, [...transfers]);
    },
  };
}

function count(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** A run of which the host has left something out: what the models said, each call followed by what answered it. */
function rebuild(
  responses: readonly ModelResponse[],
  askers: readonly string[],
  known: ReadonlyMap<string, HostItem>,
  told: readonly HostItem[],
  transfers: { from: string; message: string }[],
): HostItem[] {
  const items: HostItem[] = [];
  const placed = new Set<string>();
  const place = (entry: HostItem): void => {
    placed.add(keyOf(entry.item));
    items.push(entry);
  };
  responses.forEach(({ output }, index) => {
    const agent = askers[index];
    for (const item of output) {
      // What a model says a model is shown again.
      const said = item as AgentInputItem;
      place(known.get(keyOf(said)) ?? { item: said, ...(agent === undefined ? {} : { agent }) });
    }
    for (const item of output) {
      const callId = approvalCall(item);
      const answer = [...known.values()].find(
        (entry) => isAnswer(entry.item, callId) && !placed.has(keyOf(entry.item)),
      );
      if (answer) place(answer);
      else if (item.type === "function_call" && transfers[0] && transfers[0].from === agent) {
        const { message } = transfers.shift() as { message: string };
        const { callId: id, name } = item;
        const given = { type: "text" as const, text: message };
        place({ item: { type: "function_call_result", callId: id, name, status: "completed", output: given }, agent });
      }
    }
  });
  return [...items, ...told.filter(({ item, asksFor }) => asksFor !== undefined || !placed.has(keyOf(item)))];
}

const isAnswer = (item: AgentInputItem, callId: string): boolean =>
  callId !== "" &&
  (item as { callId?: string }).callId === callId &&
  /(_result|_output)$/.test(String((item as { type?: string }).type));
