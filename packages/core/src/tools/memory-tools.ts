import * as z from "zod";
import type { Conversation, SearchHit } from "../contract/conversation.ts";
import type { Fact } from "../contract/fact.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import { messageText } from "../conversation/message-text.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { escapeLine, unescapeName } from "../prompt/escape.ts";
import { isDisputed } from "../prompt/memory-block.ts";
import { rememberedLines } from "../prompt/remembered-lines.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { artifactTools } from "./artifact-tools.ts";
import { defineTool, idempotency, type MemoryTool, type MemoryToolCall, refusal, signalOf } from "./define-tool.ts";
import { ARTIFACT_TOOL_NAMES, MEMORY_TOOL_NAMES, type MemoryToolName } from "./tool-names.ts";

export type { MemoryTool, MemoryToolAnswer, MemoryToolCall } from "./define-tool.ts";

/** Which of the tools to register. */
export interface MemoryToolSelection {
  only?: readonly MemoryToolName[];
  except?: readonly MemoryToolName[];
}

const scope = () => z.enum(["user", "conversation"]);
const type = () => z.enum(["fact", "preference", "relationship", "instruction"]);
const tags = () => z.array(z.string()).max(8);

const rememberInput = z.lazy(() =>
  z.object({
    key: z
      .string()
      .describe('Short name of what is remembered, for example "favourite_colour". The same key replaces.')
      .optional(),
    value: z
      .union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.record(z.string(), z.unknown())])
      .describe("What to remember."),
    type: type().describe("What kind of thing it is. Default: fact.").optional(),
    topic: z.string().describe("What it is about, where there is no key.").optional(),
    tags: tags().describe("A few words to find it by.").optional(),
    scope: scope()
      .describe("user: everywhere with this person (default). conversation: in this conversation only.")
      .optional(),
    quote: z.string().describe("The person's own words that say so, copied exactly.").optional(),
  }),
);

const recallInput = z.lazy(() =>
  z.object({
    key: z.string().describe("The exact key, where it is known.").optional(),
    query: z.string().describe("Words to look for in what is remembered.").optional(),
    n: z.int().min(1).max(50).describe("How many at most. Default: 10.").optional(),
    type: type().optional(),
    tags: tags().optional(),
    scope: z
      .enum(["user", "conversation", "app", "global"])
      .describe("Default: all. By key, what holds for this conversation comes before what holds everywhere.")
      .optional(),
  }),
);

const forgetInput = z.lazy(() =>
  z.object({
    key: z.string().describe("Key of what to forget.").optional(),
    id: z.string().describe("Id of what to forget, as recall shows it.").optional(),
    scope: scope().describe("Default: both.").optional(),
  }),
);

const searchInput = z.lazy(() =>
  z.object({
    query: z.string().describe("Words that were said."),
    k: z.int().min(1).max(20).describe("How many at most. Default: 5.").optional(),
    role: z.enum(["user", "assistant"]).describe("Who said it.").optional(),
    from: z.string().describe("Not before this time, ISO 8601.").optional(),
    to: z.string().describe("Before this time, ISO 8601.").optional(),
  }),
);

const MAX_HIT_CHARS = 600;

const shorten = (text: string): string =>
  text.length > MAX_HIT_CHARS ? `${text.slice(0, MAX_HIT_CHARS).toWellFormed()} […]` : text;

const show = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The turn of a call, as an option. */
const turnOf = ({ turn }: MemoryToolCall) => (turn === undefined ? {} : { turn });

/** A copy without members that are `undefined`. */
function given<Value extends object>(value: Value): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof Value]?: Exclude<Value[Key], undefined>;
  };
}

/** Data without members that are `undefined`. */
const plain = (members: { [name: string]: Json | undefined }): JsonObject =>
  // What is left is JSON.
  given(members) as JsonObject;

/** A fact as a tool's data: as much of it as a model can use. A long value is cut as in the text; its key gives it whole. */
const factData = (fact: Fact & { score?: number }): JsonObject => {
  const isLong = show(fact.value).length > MAX_HIT_CHARS;
  return plain({
    id: fact.id,
    key: fact.key,
    topic: fact.topic,
    value: isLong ? shorten(show(fact.value)) : fact.value,
    cut: isLong ? true : undefined,
    type: fact.type,
    tags: fact.tags,
    scope: fact.scope,
    author: fact.author,
    updatedAt: fact.updatedAt,
    expiresAt: fact.expiresAt,
    disputed: isDisputed(fact) ? true : undefined,
    score: fact.score,
  });
};

const hitData = ({ message, conversation, turn, score, matched }: SearchHit): JsonObject => ({
  conversation,
  turn,
  message: message.id,
  role: message.role,
  createdAt: message.createdAt,
  text: shorten(messageText(message)),
  score,
  matched,
});

/** Throws `INVALID_ARGUMENT` for what is no conversation, and for names that no tool has. */
function checkArguments(conversation: unknown, selection: unknown): void {
  const refuse = (why: string): never => {
    throw new MemoryError("INVALID_ARGUMENT", `memoryTools: ${why}.`);
  };
  if (typeof (conversation as Partial<Conversation> | null)?.artifact !== "function") {
    refuse("give a conversation, memory.conversation({ id, subject }) or turn.conversation, not the memory itself");
  }
  if (typeof selection !== "object" || selection === null || Array.isArray(selection)) {
    refuse("the selection is an object, { only } or { except }");
  }
  const known: readonly string[] = [...MEMORY_TOOL_NAMES, ...ARTIFACT_TOOL_NAMES];
  const { only, except } = selection as Record<string, unknown>;
  for (const [option, names] of Object.entries({ only, except })) {
    if (names === undefined) continue;
    if (!Array.isArray(names)) refuse(`${option} must be an array of names`);
    const unknown = (names as unknown[]).find((name) => !known.includes(name as string));
    if (unknown !== undefined) {
      refuse(
        `${option} names no tool with "${String(unknown)}"${didYouMean(String(unknown), known)}; there are ${known.join(", ")}`,
      );
    }
  }
}

/**
 * The memory tools of one conversation, for the agent's own model. Whose memory they reach is the conversation's; no
 * input can name another tenant, agent, subject or conversation.
 */
export function memoryTools(conversation: Conversation, selection: MemoryToolSelection = {}): MemoryTool[] {
  checkArguments(conversation, selection);
  const all: MemoryTool[] = [
    defineTool(
      "memory_remember",
      "Remember something durable that the person said of themselves or asked you to keep. Not for greetings, guesses or what only matters now.",
      rememberInput,
      async (input, call) => {
        const { key, value, ...rest } = input;
        const options = {
          ...given(rest),
          ...idempotency(conversation, call, input),
          ...turnOf(call),
          ...signalOf(call),
        };
        const json = value as Json;
        const outcome = await conversation.remember(
          key === undefined ? { ...options, value: json } : { ...options, key: unescapeName(key), value: json },
        );
        const { status, id, code, reason, retryable, similarKeys, evicted: gone, truncated } = outcome;
        const data = plain({ status, id, similarKeys, evicted: gone, truncated, reason });
        const remembered = truncated
          ? `Remembered only the first ${truncated.kept} of ${truncated.of} characters: say the rest under another key, or all of it in fewer words.`
          : "Remembered.";
        const similar = similarKeys ? ` Similar keys exist: ${similarKeys.map(escapeLine).join(", ")}.` : "";
        const evicted = gone ? ` To make room, ${gone.length} old fact(s) went.` : "";
        switch (status) {
          case "refused":
          case "failed":
          case "quarantined":
            return {
              // Why a store failed is for people; a model can't help it.
              text: `Not remembered: ${(status !== "failed" && reason) || "the memory is not available right now; go on without it."}`,
              data,
              code: code ?? "STORE_FAILED",
              retryable: retryable ?? false,
            };
          case "unchanged":
            return { text: `This was remembered already.${truncated ? ` ${remembered}` : ""}${similar}`, data };
          case "superseded": {
            const replaced = truncated ? `${remembered} It replaces` : "Remembered; it replaces";
            return { text: `${replaced} what was there before.${similar}${evicted}`, data };
          }
          default:
            return { text: `${remembered}${similar}${evicted}`, data };
        }
      },
    ),
    defineTool(
      "memory_recall",
      "Look up what is remembered about this person: by key, by words, or the most recent.",
      recallInput,
      async ({ key: shown, ...rest }, call) => {
        if (shown !== undefined) {
          const key = unescapeName(shown);
          const { scope: within } = given(rest);
          const value = await conversation.recall(key, {
            ...(within === undefined ? {} : { scope: within }),
            ...signalOf(call),
          });
          if (value === null) return { text: `Nothing is remembered under "${key}".`, data: { facts: [] } };
          const text = rememberedLines([`${escapeLine(key)}: ${escapeLine(show(value))}`]);
          return { text, data: { facts: [{ key, value }] } };
        }
        const { facts, reason } = await conversation.recall({ ...given(rest), ...signalOf(call) });
        const data = plain({ facts: facts.map(factData), reason });
        if (facts.length === 0) return { text: reason ?? "Nothing is remembered.", data };
        const lines = facts.map((fact) => {
          const name = fact.key ?? fact.topic;
          const label = name === undefined ? "" : `${escapeLine(name)}: `;
          const disputed = isDisputed(fact) ? " (disputed: ask which is right)" : "";
          return `${label}${escapeLine(shorten(show(fact.value)))}${disputed} [id ${escapeLine(fact.id)}]`;
        });
        return { text: rememberedLines(lines), data };
      },
    ),
    defineTool(
      "memory_forget",
      "Forget something because the person asked for it. Give its key or its id.",
      forgetInput,
      async (input, call) => {
        const { key, id, scope: within } = input;
        if (key === undefined && id === undefined) return refusal("Not done: give a key or an id.", "INVALID_ARGUMENT");
        const receipt = await conversation.forget({
          ...given({ key: key && unescapeName(key), id: id && unescapeName(id), scope: within }),
          ...idempotency(conversation, call, input),
          ...signalOf(call),
        });
        const { forgotten, ids, code, reason } = receipt;
        const data = plain({ forgotten, ids, reason });
        if (forgotten > 0) return { text: forgotten === 1 ? "Forgotten." : `Forgotten: ${forgotten} facts.`, data };
        const text = `Nothing to forget: ${reason ?? "there is no such fact."}`;
        return code === undefined ? { text, data } : { text, data, code, retryable: false };
      },
    ),
    defineTool(
      "memory_search",
      "Search what was said in earlier conversations with this person. What you see of the current conversation is left out.",
      searchInput,
      async ({ query, k, ...rest }, call) => {
        const {
          hits,
          reason,
          code: semantic,
        } = await conversation.search(query, {
          ...given(rest),
          k: k ?? 5,
          excludeHistory: true,
          ...signalOf(call),
        });
        const data = plain({ hits: hits.map(hitData), reason, semantic });
        if (hits.length === 0) return { text: reason ?? "Nothing was found.", data };
        const lines = hits.map(({ message }) => {
          const said = escapeLine(shorten(messageText(message)));
          return `${message.createdAt.slice(0, 16)} ${message.role}: ${said}`;
        });
        return { text: rememberedLines(lines), data };
      },
    ),
    ...artifactTools(conversation),
  ];
  const { only, except } = selection;
  return all.filter(({ name }) => (only === undefined || only.includes(name)) && !except?.includes(name));
}
