import { type JsonObject, type MessageInput, type Part, toJson } from "@throughline/core";
import { fromContentPart } from "./content-part.ts";
import { fromFileData } from "./file-part.ts";
import { otherMembers } from "./json.ts";
import { HOST_KIND, readNative, writeNative } from "./native-form.ts";
import { hasFilesTwice, readCopies } from "./row-copies.ts";
import type { Row, RowPart } from "./rows.ts";
import { fromToolPart } from "./tool-part.ts";

/**
 * Mastra's rows in the neutral form. A row of an answer holds all its steps; here each step is a message, and each tool's
 * result one behind it. Their ids follow from the row's, so that the same row gives the same messages. Throws
 * `UNSUPPORTED_CONTENT` for what JSON has no form for.
 */
export const fromRows = (rows: readonly Row[]): MessageInput[] => rows.flatMap(fromRow);

/** One row; none where it says nothing. */
export function fromRow(row: Row): MessageInput[] {
  const messages = row.role === "assistant" ? fromAnswer(row) : fromSaid(row);
  const [first] = messages;
  if (first === undefined) return [];
  const { native } = first;
  const form = {
    row: rowMembers(row),
    copies: readCopies(row.content),
    ...readNative(native === undefined ? {} : { native }),
  };
  messages[0] = { ...first, ...writeNative(form) };
  const createdAt = row.createdAt.toISOString();
  return messages.map((message) => ({ ...message, createdAt }));
}

/** What a row holds beside its parts. Whose it is the conversation says. */
function rowMembers(row: Row): JsonObject | undefined {
  const content = otherMembers(
    row.content,
    ...["format", "parts", "content", "toolInvocations", "reasoning", "experimental_attachments"],
  );
  const members = otherMembers(row, "id", "role", "createdAt", "threadId", "resourceId", "content");
  const all = { ...members, ...(content === undefined ? {} : { content }) };
  return Object.keys(all).length === 0 ? {} : all;
}

/** What signals of these types say, a person has said; others are the app's and Mastra's own. */
const isPersons = ({ type, content }: Row): boolean => {
  // As Mastra's signals have it; a wrong type is no person's.
  const { signal } = { ...(content.metadata as { signal?: { type?: string } } | undefined) };
  return ["user", "user-message"].includes(signal?.type ?? type ?? "");
};

function fromSaid(row: Row): MessageInput[] {
  const { id, role } = row;
  if (role === "signal" && !isPersons(row)) {
    const value = toJson(row.content.parts, "A signal");
    return [{ id, role: "system", parts: [{ type: "custom", kind: `${HOST_KIND}signal`, value }] }];
  }
  const parts = [...ownParts(row).map(fromAnyPart), ...attachments(row)];
  const as = role === "signal" ? { as: role } : {};
  return parts.length === 0 ? [] : [{ id, role: role === "system" ? "system" : "user", parts, ...writeNative(as) }];
}

/** Outside an answer a tool's part has no place of its own. */
const fromAnyPart = (part: RowPart): Part =>
  part.type === "tool-invocation"
    ? { type: "custom", kind: `${HOST_KIND}${part.type}`, value: toJson(part, "A part of a row") }
    : fromContentPart(part);

/** A row's parts; of a row without any, the text that older rows have instead. */
function ownParts({ content }: Row): readonly RowPart[] {
  if (content.parts.length > 0 || !content.content) return content.parts;
  return [{ type: "text", text: content.content }];
}

/** Files that older clients keep beside the parts. */
const attachments = ({ content }: Row): Part[] =>
  (hasFilesTwice(content) ? [] : (content.experimental_attachments ?? [])).map((attachment) => {
    const { url, name, contentType } = attachment;
    const file = fromFileData(url, contentType ?? "application/octet-stream");
    const { as = "" } = readNative(file);
    const form = `attachment${contentType === undefined ? "?" : ""} ${as}`;
    const rest = otherMembers(attachment, "url", "name", "contentType");
    return { ...file, ...(name === undefined ? {} : { name }), ...writeNative({ as: form, rest }) };
  });

/** One step of an answer and the results of its tools. */
interface Step {
  said: MessageInput & { parts: Part[] };
  answers: MessageInput[];
}

function fromAnswer(row: Row): MessageInput[] {
  const steps: Step[] = [];
  let mark: JsonObject | null = null;
  let isOpen = false;

  const open = (): Step => {
    const id = steps.length === 0 ? row.id : `${row.id}#${steps.length}`;
    const step: Step = { said: { id, role: "assistant", parts: [], ...writeNative({ step: mark }) }, answers: [] };
    steps.push(step);
    mark = null;
    isOpen = true;
    return step;
  };
  /** A mark that no step follows is kept for itself. */
  const keepMark = (): void => {
    if (mark === null) return;
    const value = toJson({ type: "step-start", ...mark }, "A step");
    mark = null;
    open().said.parts.push({ type: "custom", kind: `${HOST_KIND}step-start`, value });
  };

  for (const part of ownParts(row)) {
    if (part.type === "step-start") {
      // Two in a row, or one at the end, mark no step.
      keepMark();
      mark = otherMembers(part, "type") ?? {};
      isOpen = false;
      continue;
    }
    let step = steps.at(-1);
    // What is said behind a result belongs to the next step, also where nothing marks it.
    if (step === undefined || !isOpen || (part.type !== "tool-invocation" && step.answers.length > 0)) step = open();
    if (part.type !== "tool-invocation") {
      step.said.parts.push(fromContentPart(part));
      continue;
    }
    const { call, requested, decided, result } = fromToolPart(part);
    step.said.parts.push(call, ...(requested === undefined ? [] : [requested]));
    // A provider's own result stands where the call does.
    if (call.providerExecuted && result !== undefined) step.said.parts.push(result);
    const of = (what: string) => `${row.id}${what}${call.callId}`;
    if (decided !== undefined) step.answers.push({ id: of("?"), role: "tool", parts: [decided] });
    if (result !== undefined && !call.providerExecuted) {
      step.answers.push({ id: of("@"), role: "tool", parts: [result] });
    }
  }
  keepMark();
  const files = attachments(row);
  if (files.length > 0) (steps[0] ?? open()).said.parts.push(...files);
  return steps.flatMap(({ said, answers }) => [said, ...answers]);
}
