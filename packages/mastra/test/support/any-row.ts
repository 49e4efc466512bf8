import fc from "fast-check";
import type { Row, RowPart } from "../../src/convert/rows.ts";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const word = fc.string({ minLength: 1, maxLength: 8 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const object = fc.dictionary(word, json, { maxKeys: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const metadata = fc.record({ provider: object }, { requiredKeys: [] });
const stamp = fc.record({ createdAt: fc.nat(), providerMetadata: metadata }, { requiredKeys: [] });
const base64 = fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString("base64"));
const mediaType = fc.constantFrom("image/png", "text/plain", "application/pdf");

const fileData = fc.oneof(
  base64.filter((data) => !URL.canParse(data)),
  base64.map((data) => `data:image/png;base64,${data}`),
  fc.constant("https://example.com/a.png"),
);

/** Joins the members that a part must have with those that it may have. */
const part = (shape: fc.Arbitrary<object>) =>
  fc.tuple(shape, stamp).map(([own, more]) => ({ ...own, ...more }) as RowPart);

const textPart = part(fc.record({ type: fc.constant("text"), text }));
const filePart = part(
  fc.record(
    { type: fc.constant("file"), mimeType: mediaType, data: fileData, filename: word },
    { requiredKeys: ["type", "mimeType", "data"] },
  ),
);
const details = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("text"), text, signature: word }, { requiredKeys: ["type", "text"] }),
    fc.record({ type: fc.constant("redacted"), data: word }),
  ),
  { maxLength: 2 },
);
const reasoningPart = fc.oneof(
  part(fc.record({ type: fc.constant("reasoning"), reasoning: text, details })),
  text.map((said) => ({ type: "reasoning", reasoning: said, details: [{ type: "text", text: said }] }) as RowPart),
  text.map((said) => ({ type: "reasoning", reasoning: "", details: [{ type: "text", text: said }] }) as RowPart),
);
const otherPart = fc.oneof(
  part(
    fc.record({
      type: fc.constant("source"),
      source: fc.record(
        { sourceType: fc.constant("url"), id: word, url: fc.webUrl(), title: text, providerMetadata: metadata },
        { requiredKeys: ["sourceType", "id", "url"] },
      ),
    }),
  ),
  part(
    fc.record(
      { type: fc.constant("source-document"), sourceId: word, mediaType, title: text, filename: word },
      { requiredKeys: ["type", "sourceId", "mediaType", "title"] },
    ),
  ),
  part(fc.record({ type: fc.constant("data-progress"), data: json })),
  part(fc.record({ type: fc.constant("error"), error: fc.record({ name: word, message: text }) })),
  part(fc.record({ type: fc.constant("step-start"), model: word }, { requiredKeys: ["type"] })),
);

const approval = fc.record({ id: word, approved: fc.boolean(), reason: text }, { requiredKeys: ["id"] });
const decided = fc.record({ id: word, approved: fc.boolean(), reason: text }, { requiredKeys: ["id", "approved"] });
const denied = fc.record(
  { id: word, approved: fc.constant(false), reason: text },
  { requiredKeys: ["id", "approved"] },
);

const invocation = fc.oneof(
  fc.record({ state: fc.constantFrom("call", "partial-call") }),
  fc.record(
    { state: fc.constant("result"), result: json, isError: fc.boolean(), errorText: text, approval: decided },
    { requiredKeys: ["state", "result"] },
  ),
  fc.record({ state: fc.constant("result") }),
  fc.record(
    { state: fc.constant("output-error"), errorText: text, rawInput: json, result: json },
    { requiredKeys: ["state"] },
  ),
  fc.record({ state: fc.constant("output-denied"), approval: denied }),
  fc.record({ state: fc.constant("approval-requested"), approval }),
  fc.record({ state: fc.constant("approval-responded"), approval: decided }),
);

const toolPart = (callId: string) =>
  part(
    fc.record(
      {
        type: fc.constant("tool-invocation"),
        toolInvocation: fc
          .tuple(invocation, word, json, fc.option(fc.nat(3), { nil: undefined }))
          .map(([members, toolName, args, step]) => ({
            ...members,
            toolCallId: callId,
            toolName,
            args,
            ...(step === undefined ? {} : { step }),
          })),
        providerExecuted: fc.constant(true),
        title: word,
      },
      { requiredKeys: ["type", "toolInvocation"] },
    ),
  );

const rowMembers = fc.record(
  {
    type: fc.constantFrom("text", "tool-call"),
    metadata: object,
    providerMetadata: metadata,
    annotations: fc.array(json),
  },
  { requiredKeys: [] },
);

type Members = { type?: string; metadata?: object; providerMetadata?: object; annotations?: unknown[] };

/** A row with what Mastra puts beside the parts: the last text, its invocations, its reasoning. */
function rowOf(id: string, role: string, at: number, parts: RowPart[], members: Members, copies: number): Row {
  const { type, ...content } = members;
  const texts = parts.flatMap((entry) => (entry.type === "text" ? [entry.text] : []));
  const invocations = parts.flatMap((entry) => (entry.type === "tool-invocation" ? [entry.toolInvocation] : []));
  const copied = {
    ...(copies & 1 && texts.length > 0 ? { content: texts.at(-1) } : {}),
    ...(copies & 2 && texts.length > 0 ? { content: texts.join("\n") } : {}),
    ...(copies & 4 && role === "assistant" ? { toolInvocations: invocations } : {}),
    ...(copies & 8 ? { content: "says something else" } : {}),
  };
  // What is made here is what Mastra's types describe.
  return {
    id,
    role,
    createdAt: new Date(at),
    threadId: "t",
    resourceId: "r",
    ...(type === undefined ? {} : { type }),
    content: { format: 2, parts, ...content, ...copied },
  } as Row;
}

const attachments = fc.array(
  fc.record({ url: fileData, name: word, contentType: mediaType }, { requiredKeys: ["url"] }),
  { minLength: 1, maxLength: 2 },
);

const user = fc
  .tuple(
    fc.array(fc.oneof(textPart, filePart), { minLength: 1, maxLength: 3 }),
    rowMembers,
    fc.nat(15),
    fc.option(fc.oneof(attachments, fc.constant("copied" as const))),
  )
  .map(([parts, members, copies, beside]) => (id: string, at: number) => {
    const row = rowOf(id, "user", at, parts, members, copies);
    // As Mastra writes what a person hands over: each file once more beside the parts.
    const twice = row.content.parts.flatMap((part) =>
      part.type === "file" ? [{ url: part.data, contentType: part.mimeType }] : [],
    );
    const files = beside === "copied" ? twice : beside;
    if (files !== null) row.content.experimental_attachments = files as never;
    return row;
  });

const signal = fc
  .tuple(fc.array(textPart, { minLength: 1, maxLength: 2 }), fc.constantFrom("user", "system-reminder", "state"))
  .map(
    ([parts, type]) =>
      (id: string, at: number) =>
        rowOf(id, "signal", at, parts, { type, metadata: { signal: { type } } }, 0),
  );

const assistant = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 2, arbitrary: fc.constant("tool" as const) }, textPart, reasoningPart, filePart, otherPart),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    rowMembers,
    fc.nat(15),
  )
  .chain(([kinds, members, copies]) =>
    fc.tuple(...kinds.map((kind, index) => (kind === "tool" ? toolPart(`call-${index}`) : fc.constant(kind)))).map(
      (parts) =>
        (id: string, at: number): Row =>
          rowOf(
            id,
            "assistant",
            at,
            parts.map((entry) => rename(entry as RowPart, id)),
            members,
            copies,
          ),
    ),
  );

/** Ids of calls are unique within a thread. */
function rename(entry: RowPart, id: string): RowPart {
  if (entry.type !== "tool-invocation") return entry;
  const { toolInvocation } = entry;
  return { ...entry, toolInvocation: { ...toolInvocation, toolCallId: `${id}-${toolInvocation.toolCallId}` } };
}

/** Rows as Mastra, its clients and its older versions write them. */
export const anyRows: fc.Arbitrary<Row[]> = fc
  .array(fc.oneof(user, assistant, assistant, signal), { minLength: 1, maxLength: 4 })
  .map((makers) => makers.map((make, index) => make(`row-${index}`, 1_700_000_000_000 + index)));
