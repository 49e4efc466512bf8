import { type Embedder, MemoryError } from "@throughline/core";

/** Throws `INVALID_ARGUMENT` for what is no object, and for options that there are none of. */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new MemoryError("INVALID_ARGUMENT", `${what}: give options as an object, or nothing.`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new MemoryError("INVALID_ARGUMENT", `${what}: "${unknown}" is no option; there are ${known.join(", ")}.`);
}

type EmbedOptions = Parameters<Embedder["embed"]>[1];

/** What `embed` was called with; throws `INVALID_ARGUMENT` for anything but texts, and unless it is said what they are. */
export function checkCall(what: string, texts: readonly string[], options: EmbedOptions): EmbedOptions {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) {
    throw new MemoryError("INVALID_ARGUMENT", `${what}: embed takes a list of texts.`);
  }
  const { kind }: Partial<EmbedOptions> = Object(options);
  if (kind === "query" || kind === "document") return options;
  throw new MemoryError(
    "INVALID_ARGUMENT",
    `${what}: say what the texts are, { kind: "query" } or { kind: "document" }.`,
  );
}

/** The error of a call whose signal is over. */
export function abortedError(signal: AbortSignal): MemoryError {
  return new MemoryError("ABORTED", "The caller's signal ended the embedding.", { cause: signal.reason });
}

/** Lets everything that waited have its turn. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Throws `EMBEDDER_FAILED` unless there is one vector of finite numbers for each text. */
export function checkVectors(what: string, vectors: readonly Float32Array[], texts: number, dimensions: number): void {
  const isOne = (vector: Float32Array): boolean => vector.length === dimensions && vector.every(Number.isFinite);
  if (vectors.length === texts && vectors.every(isOne)) return;
  throw new MemoryError(
    "EMBEDDER_FAILED",
    `${what}: the model did not answer with one vector of ${dimensions} finite numbers for each text.`,
    { retryable: false, details: { dimensions } },
  );
}

/** What loading a package came to, or an error that says what to install. */
export async function loadPeer<Module>(what: string, packages: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (MemoryError.isInstance(cause)) throw cause;
    throw new MemoryError("EMBEDDER_FAILED", `${what} needs ${packages}: install it beside @throughline/embed-local.`, {
      cause,
      retryable: false,
    });
  }
}

/** The same model for every call; one that couldn't be loaded is tried again by the next. */
export function loadOnce<Model>(load: () => Promise<Model>): () => Promise<Model> {
  let loading: Promise<Model> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
