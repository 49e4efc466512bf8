import type { ApprovalPart, MessageInput, Part } from "@throughline/core";
import { isObject } from "./native-form.ts";

/** What LangChain's human-in-the-loop middleware asks for, as far as it is read here. */
export interface ActionRequest {
  name: string;
  args: unknown;
}

/** What a person says of one of these calls, as far as it is read here. */
export interface Decision {
  type?: unknown;
  message?: unknown;
}

/** The calls that the interrupts of a run ask a person about. */
export function actionRequests(interrupts: unknown): ActionRequest[] {
  if (!Array.isArray(interrupts)) return [];
  return interrupts.flatMap((interrupt: { value?: unknown } | null) => {
    const asked = isObject(interrupt?.value) ? interrupt.value.actionRequests : undefined;
    // Members that are missing match no call.
    return Array.isArray(asked) ? (asked as unknown as ActionRequest[]) : [];
  });
}

/** An assistant's message with the approvals that its calls wait for: another framework sees what is asked. Pure. */
function withApprovals(message: MessageInput, requests: readonly ActionRequest[]): MessageInput {
  const left = [...requests];
  const parts = (message.parts ?? []).flatMap((part): Part[] => {
    if (part.type !== "tool-call") return [part];
    const at = left.findIndex(
      ({ name, args }) => name === part.tool && JSON.stringify(args) === JSON.stringify(part.input),
    );
    if (at < 0) return [part];
    left.splice(at, 1);
    return [part, { type: "approval", callId: part.callId, state: "requested" }];
  });
  return parts.length === (message.parts?.length ?? 0) ? message : { ...message, parts };
}

/** The person's word that a graph is resumed with; none where it is started, or resumed with something else. */
export function readDecisions(input: unknown): Decision[] {
  const { resume } = { ...(input as { resume?: unknown } | null) };
  if (!isObject(resume)) return [];
  // By itself, or by the id of the interrupt that it answers.
  return [resume, ...Object.values(resume)].flatMap((answer) => {
    const decisions = isObject(answer) ? answer.decisions : undefined;
    return Array.isArray(decisions) ? decisions.filter(isObject) : [];
  });
}

/** A message of a turn that goes on, with the approvals that its calls were stored with: a graph's state has none. Pure. */
function withStoredApprovals(message: MessageInput, stored: readonly MessageInput[]): MessageInput {
  const before = stored.find(({ id }) => id !== undefined && id === message.id)?.parts ?? [];
  if (!before.some(({ type }) => type === "approval")) return message;
  const parts = (message.parts ?? []).flatMap((part): Part[] => {
    if (part.type === "approval") return [];
    if (part.type !== "tool-call") return [part];
    return [part, ...before.filter((other) => other.type === "approval" && other.callId === part.callId)];
  });
  return { ...message, parts };
}

/** The messages of a turn with a person's word behind the calls that it is about, in the order of the calls. Pure. */
function withDecisions(messages: readonly MessageInput[], decisions: readonly Decision[]): MessageInput[] {
  const at = messages.findLastIndex(({ parts = [] }) => parts.some(isRequest));
  const asking = messages[at];
  const calls = asking?.parts?.filter(isRequest) ?? [];
  const parts = calls.flatMap(({ callId }, index): Part[] => {
    const { type, message } = decisions[index] ?? {};
    if (type === "approve" || type === "edit") return [{ type: "approval", callId, state: "approved" }];
    if (type !== "reject") return [];
    const reason = typeof message === "string" && message !== "" ? { reason: message } : {};
    return [{ type: "approval", callId, state: "denied", ...reason }];
  });
  if (asking === undefined || parts.length === 0) return [...messages];
  const told: MessageInput = { ...(asking.id === undefined ? {} : { id: `${asking.id}@told` }), role: "tool", parts };
  return [...messages.slice(0, at + 1), told, ...messages.slice(at + 1)];
}

const isRequest = (part: Part): part is ApprovalPart => part.type === "approval" && part.state === "requested";

/** What resumes a run of that middleware: a decision for each approval that these messages give; `null` where none does. */
export function decisionsOf(messages: readonly MessageInput[]): { decisions: object[] } | null {
  const decisions = messages.flatMap(({ parts = [] }) =>
    parts.flatMap((part) => {
      if (part.type !== "approval" || part.state === "requested") return [];
      if (part.state === "approved") return [{ type: "approve" }];
      return [{ type: "reject", ...(part.reason === undefined ? {} : { message: part.reason }) }];
    }),
  );
  return decisions.length === 0 ? null : { decisions };
}

/** A turn's messages with what was asked of a person before and now, and with what the person has said. Pure. */
export function withWord(
  messages: readonly MessageInput[],
  given: { stored: readonly MessageInput[]; asked: readonly ActionRequest[]; decisions: readonly Decision[] },
): MessageInput[] {
  const asking = messages.map((message) => withApprovals(withStoredApprovals(message, given.stored), given.asked));
  return withDecisions(asking, given.decisions);
}
