import type { MessageInput, Part } from "@throughline/core";
import { isObject } from "./native-form.ts";

/** What LangChain's human-in-the-loop middleware asks for, as far as it is read here. */
interface ActionRequest {
  name: string;
  args: unknown;
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
export function withApprovals(message: MessageInput, requests: readonly ActionRequest[]): MessageInput {
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
  return parts.length === message.parts?.length ? message : { ...message, parts };
}

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
