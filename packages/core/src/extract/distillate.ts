import type { Fact } from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";

/** A distilled fact as it goes over the wire. Members without a value are left out. */
export interface Distillate {
  id: string;
  /** Whom it is about. */
  person_id?: string;
  topic?: string;
  /** The fact's value. */
  content: Json;
  /** 0 to 1. */
  confidence?: number;
  /** `turn`, or the source of the timeline event. */
  source_kind?: string;
  /** Id of the turn or event. */
  source_ref?: string;
}

/** The wire form of a fact of a person. Pure. */
export function toDistillate(fact: Fact, person?: string): Distillate {
  const { id, topic, key, value, confidence, source, event } = fact;
  const kind = event?.source ?? (source === undefined ? undefined : "turn");
  const ref = event?.id ?? source?.turn;
  const members = {
    id,
    person_id: person,
    topic: topic ?? key,
    content: value,
    confidence,
    source_kind: kind,
    source_ref: ref,
  };
  const filled = Object.entries(members).filter(([, member]) => member !== undefined && member !== "");
  // Nothing but what has no value was taken out; `id` and `content` always have one.
  return Object.fromEntries(filled) as unknown as Distillate;
}
