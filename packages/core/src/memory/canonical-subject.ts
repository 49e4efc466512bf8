import type { CallOptions } from "../contract/memory-store.ts";
import type { Engine } from "./engine.ts";

/** A subject with identities resolved; `undefined` stays. */
export async function canonicalSubject<Id extends string | undefined>(
  engine: Engine,
  subject: Id,
  options: CallOptions = {},
): Promise<Id> {
  if (subject === undefined) return subject;
  // The store answers a text for a text.
  return (await (await engine.store()).resolveSubject(engine.owner, subject, options)) as Id;
}
