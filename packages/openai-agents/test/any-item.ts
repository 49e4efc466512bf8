import type { AgentInputItem } from "@openai/agents";
import fc from "fast-check";

const text = fc.string({ maxLength: 20 });
const id = (prefix: string) => fc.nat(9).map((number) => `${prefix}_${number}`);
const data = fc.constantFrom("iVBORw0KGgoAAAA=", "QUJD");
const json = fc.dictionary(fc.constantFrom("a", "b", "nested"), fc.oneof(fc.nat(), text, fc.constant(null)), {
  maxKeys: 2,
});
const providerData = fc.option(json, { nil: undefined });
const status = fc.constantFrom("completed" as const, "incomplete" as const, "in_progress" as const);
const caller = fc.option(fc.constant({ type: "direct" as const }), { nil: undefined });

/** Without members that are `undefined`. */
const record = <Shape extends object>(model: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }) =>
  fc.record(model).map((made) => JSON.parse(JSON.stringify(made)) as Shape);

const userContent = fc.oneof(
  record({ type: fc.constant("input_text"), text, providerData }),
  record({
    type: fc.constant("input_image"),
    image: fc.oneof(
      data,
      fc.constant("https://example.com/a.png"),
      data.map((base64) => `data:image/png;base64,${base64}`),
      record({ id: id("file") }),
    ),
    detail: fc.option(fc.constant("low"), { nil: undefined }),
  }),
  record({
    type: fc.constant("input_file"),
    file: fc.oneof(
      fc.constant("data:application/pdf;base64,QUJD"),
      fc.constant("https://example.com/a.pdf"),
      record({ url: fc.constant("https://example.com/b.pdf") }),
      record({ id: id("file") }),
    ),
    filename: fc.option(text, { nil: undefined }),
  }),
  record({
    type: fc.constant("audio"),
    audio: fc.oneof(data, record({ id: id("audio") })),
    format: fc.constantFrom("wav", "mp3", null, undefined),
  }),
);

const assistantContent = fc.oneof(
  record({ type: fc.constant("output_text"), text, providerData }),
  record({ type: fc.constant("refusal"), refusal: text }),
  record({ type: fc.constant("image"), image: data }),
  record({ type: fc.constant("audio"), audio: fc.oneof(data, record({ id: id("audio") })), transcript: text }),
);

const toolOutput = fc.oneof(
  text,
  record({ type: fc.constant("text"), text, providerData }),
  record({
    type: fc.constant("image"),
    image: fc.oneof(
      fc.constant("https://example.com/c.png"),
      record({ data, mediaType: fc.constant("image/png") }),
      record({ url: fc.constant("https://example.com/d.png") }),
      record({ fileId: id("file") }),
    ),
  }),
  record({
    type: fc.constant("file"),
    file: fc.oneof(
      record({ data, mediaType: fc.constant("text/plain"), filename: text }),
      record({ url: fc.constant("https://example.com/e.txt"), filename: text }),
      record({ id: id("file") }),
    ),
  }),
  fc.array(
    fc.oneof(
      record({ type: fc.constant("input_text"), text }),
      record({ type: fc.constant("input_image"), image: fc.constant("data:image/png;base64,QUJD") }),
    ),
    { maxLength: 3 },
  ),
);

const callId = id("call");
const itemId = (prefix: string) => fc.option(id(prefix), { nil: undefined });

/** Any item that the host knows, by its type, each on its own. */
export const ITEMS = {
  user: record({
    type: fc.constant("message"),
    role: fc.constant("user"),
    content: fc.oneof(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.array(userContent, { minLength: 1, maxLength: 3 }),
    ),
    providerData,
  }),
  system: record({ type: fc.constant("message"), role: fc.constant("system"), content: fc.constant("Be brief.") }),
  assistant: record({
    type: fc.constant("message"),
    role: fc.constant("assistant"),
    id: itemId("msg"),
    status,
    phase: fc.constantFrom("commentary", "final_answer", undefined),
    content: fc.array(assistantContent, { maxLength: 3 }),
    providerData,
  }),
  reasoning: record({
    type: fc.constant("reasoning"),
    id: itemId("rs"),
    content: fc.array(record({ type: fc.constant("input_text"), text, providerData }), { maxLength: 2 }),
    rawContent: fc.option(fc.array(record({ type: fc.constant("reasoning_text"), text }), { maxLength: 1 }), {
      nil: undefined,
    }),
    providerData,
  }),
  call: record({
    type: fc.constant("function_call"),
    id: itemId("fc"),
    callId,
    name: fc.constantFrom("weather", "lookup"),
    namespace: fc.option(fc.constant("maps"), { nil: undefined }),
    status: fc.option(status, { nil: undefined }),
    arguments: fc.oneof(
      json.map((value) => JSON.stringify(value)),
      fc.constant("no json"),
      fc.constant(""),
    ),
    caller,
    providerData,
  }),
  result: record({
    type: fc.constant("function_call_result"),
    callId,
    name: fc.constantFrom("weather", "lookup"),
    status,
    output: toolOutput,
    caller,
    providerData,
  }),
  hosted: record({
    type: fc.constant("hosted_tool_call"),
    id: id("ws"),
    name: fc.constantFrom("web_search_call", "mcp_approval_request"),
    arguments: fc.option(
      json.map((value) => JSON.stringify(value)),
      { nil: undefined },
    ),
    status: fc.option(fc.constant("completed"), { nil: undefined }),
    output: fc.option(text, { nil: undefined }),
    providerData,
  }),
  computerCall: record({
    type: fc.constant("computer_call"),
    id: itemId("cu"),
    callId,
    status,
    action: fc.constant({ type: "screenshot" }),
    providerData,
  }),
  computerResult: record({
    type: fc.constant("computer_call_result"),
    callId,
    output: record({
      type: fc.constant("computer_screenshot"),
      data: fc.constantFrom("data:image/png;base64,QUJD", "https://example.com/shot.png", "QUJD"),
      providerData,
    }),
    providerData,
  }),
  shellCall: record({
    type: fc.constant("shell_call"),
    callId,
    status: fc.option(status, { nil: undefined }),
    action: record({ commands: fc.array(text, { maxLength: 2 }), timeoutMs: fc.option(fc.nat(), { nil: undefined }) }),
    caller,
  }),
  shellResult: record({
    type: fc.constant("shell_call_output"),
    callId,
    output: fc.array(record({ stdout: text, stderr: text, outcome: fc.constant({ type: "exit", exitCode: 0 }) }), {
      maxLength: 2,
    }),
  }),
  patchCall: record({
    type: fc.constant("apply_patch_call"),
    callId,
    status: fc.constantFrom("completed", "in_progress"),
    operation: record({ type: fc.constant("update_file"), path: text, diff: text }),
  }),
  patchResult: record({
    type: fc.constant("apply_patch_call_output"),
    callId,
    status: fc.constantFrom("completed", "failed"),
    output: fc.option(text, { nil: undefined }),
  }),
  program: record({ type: fc.constant("program"), callId: id("prog"), code: text, fingerprint: text }),
  programResult: record({
    type: fc.constant("program_output"),
    callId: id("prog"),
    output: text,
    status: fc.constant("completed"),
  }),
  search: record({
    type: fc.constant("tool_search_call"),
    call_id: fc.constantFrom("s1", null, undefined),
    execution: fc.constantFrom("client", "server", undefined),
    arguments: json,
    status: fc.option(fc.constant("completed"), { nil: undefined }),
  }),
  searchResult: record({
    type: fc.constant("tool_search_output"),
    callId: fc.constantFrom("s1", undefined),
    tools: fc.array(json, { maxLength: 2 }),
  }),
  compaction: record({ type: fc.constant("compaction"), id: itemId("cmp"), encrypted_content: text }),
  unknown: record({ type: fc.constant("unknown"), providerData: json }),
};

/** Any item at all. */
export const anyItem = (): fc.Arbitrary<AgentInputItem> =>
  // Each is made by the host's own schema; the round trip test parses them with it.
  fc.oneof(...Object.values(ITEMS)) as unknown as fc.Arbitrary<AgentInputItem>;
