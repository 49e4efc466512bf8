import type { Engine } from "../memory/engine.ts";
import { withDeadline } from "../memory/resilience.ts";

/** How vectors are searched, for the manifest. A store that doesn't answer in time is no reason to have none. */
export async function describeVectors(engine: Engine): Promise<string> {
  const { vectors } = await engine.store();
  if (vectors === undefined) return "exact fallback";
  try {
    return await withDeadline(vectors.describe(), engine.readTimeoutMs, "describing the store's vectors");
  } catch {
    return "unknown: the store does not answer";
  }
}
