import type { Embedder } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf } from "../memory/resilience.ts";
import { embedTexts } from "./embed-texts.ts";

/** How long an embedder may take with one batch, in milliseconds. */
const TIMEOUT_MS = 60_000;
/** How long one that took too long is left in peace, in milliseconds: else every conversation would wait for it in turn. */
export const PEACE_MS = 60_000;

/** Embeds texts that nobody waits for, unless the embedder took too long lately. Throws `EMBEDDER_FAILED`. */
export async function embedPatiently(
  engine: Engine,
  embedder: Embedder,
  texts: string[],
  { kind, signal }: { kind: "query" | "document"; signal?: AbortSignal | undefined },
): Promise<Float32Array[]> {
  const now = Date.parse(engine.now());
  if (now - engine.embedderPause.since < PEACE_MS) {
    throw new MemoryError(
      "EMBEDDER_FAILED",
      `The embedder "${embedder.modelId}" took too long lately; the turns are embedded later.`,
    );
  }
  try {
    return await embedTexts(embedder, texts, kind, { ms: TIMEOUT_MS, signal });
  } catch (error) {
    const cause = MemoryError.isInstance(error) ? error.cause : undefined;
    if (codeOf(cause) === "TIMEOUT") engine.embedderPause.since = Date.parse(engine.now());
    throw error;
  }
}
