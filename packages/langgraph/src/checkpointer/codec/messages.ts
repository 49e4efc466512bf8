import {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
} from "@langchain/core/messages";

/** Fields of messages, of whatever class, in the order they are written in. */
export const MESSAGE_FIELDS = [
  "content",
  "id",
  "name",
  "additional_kwargs",
  "response_metadata",
  "tool_calls",
  "invalid_tool_calls",
  "usage_metadata",
  "tool_call_id",
  "status",
  "artifact",
  "metadata",
  "role",
  "tool_call_chunks",
] as const;

const KNOWN: ReadonlySet<string> = new Set([...MESSAGE_FIELDS, "type", "contentBlocks"]);

type Fields = Record<string, unknown>;

/** What is written of a class, and how it is made again. */
const CLASSES: Readonly<Record<string, new (fields: never) => BaseMessage>> = {
  human: HumanMessage,
  ai: AIMessage,
  system: SystemMessage,
  tool: ToolMessage,
  function: FunctionMessage,
  generic: ChatMessage,
  remove: RemoveMessage,
  "human+": HumanMessageChunk,
  "ai+": AIMessageChunk,
  "system+": SystemMessageChunk,
  "tool+": ToolMessageChunk,
  "function+": FunctionMessageChunk,
  "generic+": ChatMessageChunk,
};

/** True for messages of any copy of the package; they say so by a symbol that all copies share. */
export const isMessage = (value: object): value is BaseMessage => BaseMessage.isInstance(value);

/** The tag of a message's class: its type, and whether it is a chunk. `null` for a type that isn't known. */
export function messageTag(message: BaseMessage): string | null {
  const type = message.getType();
  // Classes say their name themselves, whatever a bundler has made of it.
  const { lc_name: name } = message.constructor as { lc_name?(): string };
  const tag = name?.call(message.constructor).endsWith("Chunk") === true ? `${type}+` : type;
  return Object.hasOwn(CLASSES, tag) ? tag : null;
}

const isEmpty = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false;
  for (const _ in value) return false;
  return true;
};

/** What the constructors put there by themselves. */
const DEFAULTED = new Set([
  "additional_kwargs",
  "response_metadata",
  "tool_calls",
  "invalid_tool_calls",
  "tool_call_chunks",
]);

/** Fields that a message holds, without those that its constructor makes by itself. */
export function messageFields(message: BaseMessage): Fields {
  // A message is read by the names of its fields, whatever its class.
  const source = message as unknown as Fields;
  const fields: Fields = {};
  for (const name of MESSAGE_FIELDS) {
    const value = source[name];
    if (value === undefined || (DEFAULTED.has(name) && isEmpty(value))) continue;
    fields[name] = value;
  }
  return fields;
}

/** Arguments of the constructor that are no field: some apps put their own there. `null` where there are none. */
export function extraArguments(message: BaseMessage): Fields | null {
  const { lc_kwargs: given } = message as unknown as { lc_kwargs: Fields | undefined };
  let extra: Fields | null = null;
  for (const name in given) {
    if (KNOWN.has(name) || given[name] === undefined) continue;
    extra ??= {};
    extra[name] = given[name];
  }
  return extra;
}

/** A message of a tag and its fields; `undefined` for a tag that is never written. */
export function makeMessage(tag: string, fields: Fields): BaseMessage | undefined {
  const Class = Object.hasOwn(CLASSES, tag) ? CLASSES[tag] : undefined;
  if (Class === undefined) return undefined;
  if (Object.hasOwn(fields, "__proto__")) return undefined;
  if (tag === "ai+") return makeChunk(fields);
  const raw = tag === "ai" ? rawToolCalls(fields) : null;
  // The fields are those of a message of this class.
  const make = (given: Fields) => new Class(given as never);
  if (raw === null) return make(fields);
  // The constructor would make tool calls of the provider's own form where the message held none.
  const { additional_kwargs: _kwargs, ...rest } = fields;
  const message = make(rest);
  message.additional_kwargs = raw;
  return message;
}

/** The provider's form of tool calls, where it stands without ours. */
function rawToolCalls(fields: Fields): BaseMessage["additional_kwargs"] | null {
  const kwargs = fields.additional_kwargs as BaseMessage["additional_kwargs"] | undefined;
  return kwargs?.tool_calls !== undefined && fields.tool_calls === undefined ? kwargs : null;
}

/** The constructor works tool calls out of their chunks, or drops invalid ones: what was there is put back. */
function makeChunk(fields: Fields): AIMessageChunk {
  // Made for us alone: the constructor adds to it. The fields are those of this class.
  const message = new AIMessageChunk({ ...fields } as unknown as ConstructorParameters<typeof AIMessageChunk>[0] &
    object);
  const { tool_calls: calls, invalid_tool_calls: invalid } = fields as Partial<AIMessageChunk>;
  message.tool_calls = calls ?? [];
  message.invalid_tool_calls = invalid ?? [];
  return message;
}
