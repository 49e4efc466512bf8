import type { Engine, EventDraft } from "./engine.ts";

/** Emits what an operation did once it has its result. A throw goes on without an event. */
export async function reporting<Result>(
  engine: Engine,
  work: Promise<Result>,
  eventOf: (result: Result) => EventDraft,
): Promise<Result> {
  const result = await work;
  engine.emit(eventOf(result));
  return result;
}
