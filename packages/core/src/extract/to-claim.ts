import type { FactCandidate } from "../contract/models.ts";
import type { Outcome } from "../contract/outcome.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Claim } from "../facts/decide-claim.ts";
import { normaliseKey } from "../facts/fact-key.ts";
import { newFact } from "../facts/new-fact.ts";
import type { Engine } from "../memory/engine.ts";
import { contentHash } from "../text/hash.ts";
import type { Batch } from "./batch.ts";
import type { Grounding } from "./ground-candidate.ts";

/**
 * A grounded candidate as a claim of the distiller; an outcome where policy refuses it, `null` where it can't be a fact.
 * An instruction must be borne out whole by the person's own words: otherwise it is a fact.
 */
export function toClaim(
  engine: Engine,
  candidate: FactCandidate,
  { evidence, origin, covers }: Extract<Grounding, { status: "grounded" }>,
  batch: Batch,
): Claim | Outcome | null {
  const { key, topic, value, type, tags, confidence, quote, updates, contradicts } = candidate;
  const event = batch.events.find(({ id }) => id === evidence.id);
  const slot = key ?? (batch.whole && topic !== undefined ? keyOf(topic) : undefined);
  const name = topic ?? (batch.whole ? key : undefined);
  try {
    const fact = newFact(
      engine,
      {
        author: "distiller",
        origin,
        context: async () => ({ ...engine.owner }),
        ...(event === undefined
          ? { conversation: batch.conversation, turn: { id: evidence.id, startedAt: evidence.at } }
          : {}),
      },
      {
        value,
        confidence,
        quote,
        type: type === "instruction" && !covers ? "fact" : (type ?? "fact"),
        ...(slot === undefined ? {} : { key: slot }),
        ...(name === undefined ? {} : { topic: name }),
        ...(tags === undefined ? {} : { tags }),
      },
    );
    if ("status" in fact) return fact;
    const scoped = { ...fact, scope: batch.subject === undefined ? ("conversation" as const) : ("user" as const) };
    return {
      fact: event === undefined ? scoped : { ...scoped, event: { id: event.id, source: event.source, quote } },
      saidAt: evidence.at,
      updates,
      contradicts,
    };
  } catch (error) {
    if (MemoryError.isInstance(error)) return null;
    throw error;
  }
}

/** The slot of a topic: one row for each topic of a person. */
function keyOf(topic: string): string {
  try {
    return normaliseKey(topic);
  } catch {
    return `topic_${contentHash(topic)}`;
  }
}
