import { durationMs, timeAfter } from "../checks/duration.ts";
import { checkOptionalId } from "../checks/ids.ts";
import { checkJson } from "../checks/json.ts";
import type { Fact, FactInput } from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";
import { ORIGINS, type Origin } from "../contract/origin.ts";
import type { Outcome } from "../contract/outcome.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { cutAtGrapheme } from "../text/graphemes.ts";
import type { Writer } from "./fact-access.ts";
import { normaliseKey, normaliseTags } from "./fact-key.ts";

const TYPES = ["fact", "preference", "relationship", "instruction"] as const;
const MAY_INSTRUCT: readonly Origin[] = ["user", "user-confirmed", "operator"];

/** Whether what comes from there can be an `instruction`. */
export const mayInstruct = (origin: Origin): boolean => MAY_INSTRUCT.includes(origin);

/** A refusal by policy. */
export const refused = (code: string, reason: string): Outcome => ({ status: "refused", code, reason });

/** A fact as it would be stored, from what was given. Throws for malformed input; `refused` for what policy forbids. */
export function newFact(engine: Engine, writer: Writer, input: FactInput): Fact | Outcome {
  const { policy } = engine;
  const now = engine.now();
  const key = input.key === undefined ? undefined : normaliseKey(input.key);
  checkJson(input.value, "value");
  let value: Json = input.value;
  let truncated = false;
  const byAgent = writer.author === "agent" || writer.author === "distiller";
  const size = typeof value === "string" ? value.length : JSON.stringify(value).length;
  const limit = byAgent ? policy.longTerm.maxValueChars : MAX_VALUE_CHARS;
  if (size > limit) {
    if (typeof value !== "string" || !byAgent) {
      return refused("VALUE_TOO_LARGE", `The value has ${size} characters and ${limit} are allowed; store less of it.`);
    }
    value = cutAtGrapheme(value, limit);
    truncated = true;
  }
  const origin = input.origin ?? writer.origin;
  if (!ORIGINS.includes(origin)) {
    throw new MemoryError("INVALID_ARGUMENT", `"${String(origin)}" is no origin; use one of ${ORIGINS.join(", ")}.`);
  }
  const type = input.type ?? "fact";
  if (!TYPES.includes(type)) {
    throw new MemoryError("INVALID_ARGUMENT", `"${String(type)}" is no fact type; use one of ${TYPES.join(", ")}.`);
  }
  const { confidence } = input;
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new MemoryError("INVALID_ARGUMENT", "confidence must be a number from 0 to 1.");
  }
  checkOptionalId(input.topic, "topic");
  checkOptionalId(input.turn, "turn id");
  const ttlMs =
    input.ttl !== undefined ? durationMs(input.ttl, "ttl") : byAgent ? policy.longTerm.agentFactTtlMs : null;
  const turn = input.turn ?? writer.turn?.id;
  const fact: Fact = {
    id: engine.createId(),
    value,
    type: type === "instruction" && !mayInstruct(origin) ? "fact" : type,
    tags: normaliseTags(input.tags),
    scope: input.scope ?? "user",
    author: writer.author,
    origin,
    createdAt: now,
    updatedAt: now,
    validFrom: now,
    version: 1,
  };
  if (key !== undefined) fact.key = key;
  if (input.topic !== undefined) fact.topic = input.topic;
  if (confidence !== undefined) fact.confidence = confidence;
  if (ttlMs !== null) fact.expiresAt = timeAfter(now, ttlMs);
  if (truncated) fact.truncated = true;
  if (turn !== undefined && writer.conversation !== undefined) {
    fact.source = { conversation: writer.conversation, turn };
    if (input.quote !== undefined) fact.source.quote = input.quote;
  }
  return fact;
}

/** Largest value of a fact that a person or an operator writes, in characters. */
const MAX_VALUE_CHARS = 1_000_000;
