import type { Message, MessageInput, Part, Report } from "@throughline/core";
import { toContentPart } from "./content-part.ts";
import { toFileData } from "./file-part.ts";
import { readNative } from "./native-form.ts";
import { writeCopies } from "./row-copies.ts";
import type { Row, RowContent, RowPart, ToolRowPart } from "./rows.ts";
import { applyApproval, applyResult, toToolPart } from "./tool-part.ts";

/** How rows are made. */
export interface ToRowsOptions {
  /** Whose rows they are. */
  threadId?: string;
  /** Whose they are for Mastra: the subject. */
  resourceId?: string;
  /** With reasoning and what only the provider that made it understands. @default false */
  exact?: boolean;
  /** Gets an error for what Mastra has no form for; it is left out. @default thrown */
  onUnsupported?: Report;
}

/** A row that is being made. */
interface Draft {
  row: Row;
  /** Ids of the messages that are in it. */
  from: string[];
  turn: string | undefined;
  copies: Parameters<typeof writeCopies>[0];
}

type Given = MessageInput | Message;

const partsOf = ({ parts, ...message }: Given): readonly Part[] =>
  parts ?? [{ type: "text", text: ("content" in message && message.content) || "" }];

/** Messages as Mastra's rows: the steps and results of one answer come together in one row. */
export const toRows = (messages: readonly Given[], options: ToRowsOptions = {}): Row[] =>
  toRowsFrom(messages, options).map(({ row }) => row);

/** A row, and the ids of the messages that it is made of. */
export interface RowFrom {
  row: Row;
  from: readonly string[];
}

/** {@link toRows} with what each row is made of: a row's id alone doesn't tell. */
export function toRowsFrom(messages: readonly Given[], options: ToRowsOptions): RowFrom[] {
  const { threadId, resourceId, exact = false, onUnsupported } = options;
  const owner = {
    ...(threadId === undefined ? {} : { threadId }),
    ...(resourceId === undefined ? {} : { resourceId }),
  };
  const drafts: Draft[] = [];
  const calls = new Map<string, ToolRowPart>();
  const holders = new Map<string, Draft>();
  let answer: Draft | null = null;

  const start = (message: Given, role: Row["role"]): Draft => {
    const { row } = readNative(message);
    const { content, ...members } = { ...row };
    const copied = exact ? content : withoutProviders(content);
    const draft: Draft = {
      row: {
        id: message.id ?? crypto.randomUUID(),
        role,
        createdAt: new Date(message.createdAt ?? Date.now()),
        ...owner,
        ...members,
        // The members are those that a row's content had.
        content: { format: 2, parts: [], ...(copied as Partial<RowContent> | undefined) },
      },
      from: [],
      turn: "turn" in message ? message.turn : undefined,
      copies: readNative(message).copies,
    };
    drafts.push(draft);
    return draft;
  };
  const tryPart = (make: () => RowPart | null): RowPart[] => {
    try {
      return [make() ?? []].flat();
    } catch (error) {
      if (onUnsupported === undefined) throw error;
      onUnsupported(error);
      return [];
    }
  };

  for (const message of messages) {
    if (message.role === "tool") {
      for (const part of partsOf(message)) {
        settle(calls, part);
        if ("callId" in part) holders.get(part.callId)?.from.push(message.id ?? "");
      }
      continue;
    }
    const isSignal = partsOf(message).some((part) => part.type === "custom" && part.kind === "mastra.signal");
    if (message.role !== "assistant") {
      answer = null;
      const draft = start(message, isSignal || readNative(message).as === "signal" ? "signal" : message.role);
      draft.from.push(message.id ?? "");
      for (const part of partsOf(message)) addSaid(draft.row, part, isSignal, exact, tryPart);
      continue;
    }
    const { row, step } = readNative(message);
    const turn = "turn" in message ? message.turn : undefined;
    const goesOn: boolean = answer !== null && row === undefined && continues(answer, message, turn);
    if (!goesOn) answer = start(message, "assistant");
    // There is one by now.
    const draft = answer as Draft;
    const { content } = draft.row;
    draft.from.push(message.id ?? "");
    const added: RowPart[] = [];
    for (const part of partsOf(message)) {
      if (part.type === "tool-call") {
        const made = toToolPart(part, exact);
        calls.set(part.callId, made);
        holders.set(part.callId, draft);
        added.push(made);
      } else if (part.type === "tool-result" || part.type === "approval") settle(calls, part);
      else if (isAttachment(part)) attach(content, part);
      else added.push(...tryPart(() => toContentPart(part, exact)));
    }
    const mark = step === undefined ? (content.parts.length > 0 ? {} : null) : step;
    if (mark !== null && added.length > 0) content.parts.push({ type: "step-start", ...(exact ? mark : {}) });
    content.parts.push(...added);
  }
  return drafts.filter(isSaying).map(({ row, copies, from }) => {
    Object.assign(row.content, writeCopies(copies, row.content.parts));
    return { row, from };
  });
}

const isSaying = ({ row }: Draft): boolean =>
  row.content.parts.length > 0 || row.content.experimental_attachments !== undefined;

/** A step of the row before it, or another framework's message of the same turn. */
function continues({ row, turn }: Draft, message: Given, ownTurn: string | undefined): boolean {
  const { step } = readNative(message);
  if (step !== undefined) return message.id?.startsWith(`${row.id}#`) ?? false;
  return turn === ownTurn;
}

/** A result or an approval goes into its call; one without a call has no place in a row. */
function settle(calls: ReadonlyMap<string, ToolRowPart>, part: Part): void {
  const call = "callId" in part ? calls.get(part.callId) : undefined;
  if (call === undefined) return;
  if (part.type === "tool-result") applyResult(call, part);
  if (part.type === "approval") applyApproval(call, part);
}

function addSaid(
  { content }: Row,
  part: Part,
  isSignal: boolean,
  exact: boolean,
  tryPart: (make: () => RowPart | null) => RowPart[],
): void {
  if (isSignal) {
    // A signal's parts are kept as they came from the host.
    if (part.type === "custom") content.parts.push(...(part.value as unknown as RowPart[]));
  } else if (isAttachment(part)) attach(content, part);
  else content.parts.push(...tryPart(() => toContentPart(part, exact)));
}

const isAttachment = (part: Part): part is Extract<Part, { type: "file" }> =>
  part.type === "file" && (readNative(part).as?.startsWith("attachment") ?? false);

function attach(content: RowContent, part: Extract<Part, { type: "file" }>): void {
  const { as = "", rest } = readNative(part);
  const [form = "", source] = as.split(" ");
  content.experimental_attachments ??= [];
  content.experimental_attachments.push({
    url: toFileData(part, source || undefined) ?? "",
    ...(part.name === undefined ? {} : { name: part.name }),
    ...(form.endsWith("?") ? {} : { contentType: part.mediaType }),
    ...rest,
  });
}

/** What only the provider that made a row understands stays out of another's prompt. */
function withoutProviders(content: unknown): unknown {
  const { providerMetadata: _own, ...rest } = { ...(content as { providerMetadata?: unknown } | undefined) };
  return rest;
}
