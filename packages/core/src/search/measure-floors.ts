import type { Embedder } from "../contract/models.ts";
import type { Engine } from "../memory/engine.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { calibrateFloor } from "./calibrate-floor.ts";
import { embedPatiently, PEACE_MS } from "./embed-patiently.ts";
import { setFloors } from "./embedding-model.ts";

/**
 * Measures what is near by a model, and keeps it. What fails is tried again with what is embedded a while later; until then
 * the floors stay what they were. With `now` it doesn't wait for that. Throws `ABORTED` only.
 */
export async function measureFloors(
  engine: Engine,
  embedder: Embedder,
  { signal, now = false }: { signal?: AbortSignal | undefined; now?: boolean } = {},
): Promise<void> {
  const pause = engine.embedderPause;
  if (!now && Date.parse(engine.now()) - pause.sinceFloors < PEACE_MS) return;
  try {
    const embed = (texts: string[], kind: "query" | "document") =>
      embedPatiently(engine, embedder, texts, { kind, signal });
    await setFloors(engine, embedder, await calibrateFloor(embed));
  } catch {
    throwIfAborted(signal, "measuring what is near");
    // The turns are embedded; until then the default floor counts.
    pause.sinceFloors = Date.parse(engine.now());
  }
}
