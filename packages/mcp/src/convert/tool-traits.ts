import type { MemoryToolName } from "@throughline/core";

/** A JSON Schema of an object. */
export interface ObjectSchema {
  type: "object";
  properties: { [name: string]: object };
  required?: string[];
  additionalProperties?: boolean;
}

/** What a client is told of a tool beside its name and input. */
export interface ToolTraits {
  title: string;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  /** What `structuredContent` holds. */
  output: ObjectSchema;
  /** Answers with stored text. */
  isReading: boolean;
  /** Is about what one conversation keeps. */
  ofConversation?: true;
}

const text = { type: "string" };
const count = { type: "integer" };
const list = (items: object) => ({ type: "array", items });
const notice = { ...text, description: "How to take what follows." };

const fact = {
  type: "object",
  properties: {
    id: text,
    key: text,
    topic: text,
    value: {},
    cut: { type: "boolean", description: "The value goes on; recall it by its key." },
    type: text,
    tags: list(text),
    scope: text,
    author: text,
    updatedAt: text,
    expiresAt: text,
    disputed: { type: "boolean", description: "Something else remembered contradicts it: ask which is right." },
    score: { type: "number" },
  },
  required: ["value"],
};

const hit = {
  type: "object",
  properties: {
    conversation: text,
    turn: text,
    message: text,
    role: text,
    createdAt: text,
    text,
    score: { type: "number" },
    matched: { enum: ["keyword", "semantic", "both"] },
  },
  required: ["conversation", "message", "role", "createdAt", "text"],
};

const object = (properties: ObjectSchema["properties"], required: string[]): ObjectSchema => ({
  type: "object",
  properties,
  required,
});

const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean) => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint: false,
});
const READS = hints(true, false, true);

/** A remembered value that takes another's place leaves it in the history; what is forgotten or patched is gone. */
export const TOOL_TRAITS: { readonly [Name in MemoryToolName]: ToolTraits } = {
  memory_remember: {
    title: "Remember",
    annotations: hints(false, false, true),
    isReading: false,
    output: object(
      {
        status: text,
        id: text,
        similarKeys: list(text),
        evicted: list(text),
        truncated: object({ kept: count, of: count }, ["kept", "of"]),
        reason: text,
      },
      ["status"],
    ),
  },
  memory_recall: {
    title: "Recall",
    annotations: READS,
    isReading: true,
    output: object({ notice, facts: list(fact), reason: text }, ["facts"]),
  },
  memory_forget: {
    title: "Forget",
    annotations: hints(false, true, true),
    isReading: false,
    output: object({ forgotten: count, ids: list(text), reason: text }, ["forgotten", "ids"]),
  },
  memory_search: {
    title: "Search past conversations",
    annotations: READS,
    isReading: true,
    output: object({ notice, hits: list(hit), reason: text, semantic: text }, ["hits"]),
  },
  get_artifact: {
    title: "Read a large result",
    annotations: READS,
    isReading: true,
    ofConversation: true,
    output: object(
      {
        notice,
        id: text,
        page: count,
        pages: count,
        text,
        encoding: { enum: ["text", "base64"] },
        mediaType: text,
        firstLine: count,
        version: count,
      },
      ["id", "page", "pages", "text", "version"],
    ),
  },
  patch_artifact: {
    title: "Change a large result",
    annotations: hints(false, true, false),
    isReading: false,
    ofConversation: true,
    output: object({ status: text, version: count, pages: count, characters: count }, ["status", "version"]),
  },
};
