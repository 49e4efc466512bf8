import { type Embedder, MemoryError } from "@throughline/core";
import { embedWords } from "./embed-words.ts";
import { packagedTable, readTable } from "./load-table.ts";
import { abortedError, checkCall, checkOptions, nextTask } from "./rim.ts";
import type { WordTable } from "./table.ts";
import { placesOf } from "./words.ts";

/** What {@link localEmbedder} can be told. */
export interface LocalEmbedderOptions {
  /**
   * The bytes of `@throughline/embed-local/table/glove-100d.gz`, packed or not, or how to get them: for a bundle or a
   * browser, where the file doesn't lie beside the code. @default the file in the package
   */
  table?: Uint8Array | (() => Uint8Array | Promise<Uint8Array>);
}

/** An embedder that also says how much of a text it knows. */
export interface LocalEmbedder extends Embedder {
  /**
   * The share of a text's words that have a vector, 0 to 1. At 0 (another script, made-up words) the vector is all zeros,
   * near to nothing, and a search goes by the words alone.
   */
  coverage(text: string): Promise<number>;
}

const DIMENSIONS = 100;
/** Texts embedded before everything else has its turn: some milliseconds of ordinary ones. */
const TEXTS_AT_ONCE = 32;

/**
 * An embedder without a model: the word vectors of GloVe (English, 50,000 words, 2.5 MB in the package), weighted by how
 * rare a word is. No key, no network, no native code; the same vectors to the bit on every machine. A question that says nothing
 * but common words beside ones that aren't known has no vector (zeros).
 *
 * Nothing is loaded before the first text. `embed` rejects with `ABORTED`, or `INVALID_ARGUMENT` where there is no table.
 */
export function localEmbedder(options: LocalEmbedderOptions = {}): LocalEmbedder {
  checkOptions("localEmbedder", options, ["table"]);
  const { table = packagedTable } = options;
  if (typeof table !== "function" && !(table instanceof Uint8Array)) {
    throw new MemoryError("INVALID_ARGUMENT", "localEmbedder: table must be bytes, or a function that gets them.");
  }
  let loading: Promise<WordTable> | undefined;
  const load = async (): Promise<WordTable> => {
    const read = await readTable(typeof table === "function" ? await table() : table);
    if (read.dimensions === DIMENSIONS) return read;
    throw new MemoryError("INVALID_ARGUMENT", `localEmbedder: a table of ${DIMENSIONS} dimensions is needed.`);
  };
  const loaded = (): Promise<WordTable> => {
    loading ??= load().catch((error: unknown) => {
      // The next text tries again.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    modelId: "throughline/glove-6b-100d@1",
    dimensions: DIMENSIONS,
    async embed(texts, call) {
      const { kind, signal } = checkCall("localEmbedder", texts, call);
      if (signal?.aborted) throw abortedError(signal);
      const words = await loaded();
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length > 0 && vectors.length % TEXTS_AT_ONCE === 0) await nextTask();
        if (signal?.aborted) throw abortedError(signal);
        // Near every other question it would answer "What is the wuggle of the brimzat?" by "What was it like?".
        const isHollow = kind === "query" && placesOf(text, words.places).isHollow;
        vectors.push(isHollow ? new Float32Array(DIMENSIONS) : embedWords(text, words));
      }
      return vectors;
    },
    async coverage(text) {
      const { places } = await loaded();
      const { found, words } = placesOf(text, places);
      return words === 0 ? 0 : Math.min(1, found.length / words);
    },
  };
}
