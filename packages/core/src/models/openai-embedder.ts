import * as z from "zod";
import { checkNumbers } from "../checks/numbers.ts";
import type { Embedder } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { later } from "../memory/later.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { batchTexts } from "./batch-texts.ts";
import { firstSet } from "./environment.ts";
import { providerCode } from "./model-failure.ts";
import { MODEL_NUMBERS } from "./model-options.ts";
import { type OpenAIOptions, openaiConnection } from "./openai-connection.ts";
import type { ModelAnswer } from "./post-json.ts";

const postJson = later(async () => (await import("./post-json.ts")).postJson);

/** What {@link openaiEmbedder} can be told. */
export interface OpenAIEmbedderOptions extends OpenAIOptions {
  /** Id of the model; at Azure the deployment's name. @default `"text-embedding-3-small"` */
  model?: string;
  /**
   * Length of the vectors; needed for models this library doesn't know. `text-embedding-3` models are asked to shorten
   * theirs to it; all others must answer with it. @default the model's own
   */
  dimensions?: number;
  /** Recorded with the vectors. @default the model's id, with the dimensions where they were shortened */
  modelId?: string;
  /** Texts of one request, at most. @default 128 */
  batchSize?: number;
  /** Tokens of one text; what is longer is cut. @default 6000 */
  maxTextTokens?: number;
  /** Put before a query's text, as some open models want: `"query: "`. @default "" */
  queryPrefix?: string;
  /** Put before a document's text. @default "" */
  documentPrefix?: string;
}

const KNOWN_DIMENSIONS: Record<string, number> = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
};

/**
 * An embedder over OpenAI's Embeddings API, or a server that speaks it: set `baseUrl`. Order is kept whatever order
 * the answer has. A blank text is embedded as a space, a very long one by its beginning.
 *
 * Throws `INVALID_ARGUMENT` for an unusable address, a missing key, unknown dimensions or a number that can't be meant. `embed` rejects with
 * `EMBEDDER_FAILED`, `TIMEOUT` or `ABORTED`, and gives all vectors or none.
 */
export function openaiEmbedder(options: OpenAIEmbedderOptions = {}): Embedder {
  const numbers = { ...MODEL_NUMBERS, dimensions: "count", batchSize: "count", maxTextTokens: "count" } as const;
  checkNumbers("openaiEmbedder", options, numbers);
  const model = firstSet(options.model) ?? "text-embedding-3-small";
  const dimensions = options.dimensions ?? KNOWN_DIMENSIONS[model];
  if (dimensions === undefined) {
    throw new MemoryError("INVALID_ARGUMENT", `Name the length of the vectors of "${model}": pass { dimensions }.`, {
      details: { option: "dimensions" },
    });
  }
  const connection = openaiConnection(options, model);
  // Other models turn a request down that names dimensions, even their own.
  const isShortened = model.startsWith("text-embedding-3") && dimensions !== KNOWN_DIMENSIONS[model];
  const limits = { size: options.batchSize ?? 128, textTokens: options.maxTextTokens ?? 6_000 };

  return {
    modelId: options.modelId ?? (isShortened ? `${model}@${dimensions}` : model),
    dimensions,
    async embed(texts, { kind, signal }) {
      throwIfAborted(signal, "Embedding");
      const prefix = (kind === "query" ? options.queryPrefix : options.documentPrefix) ?? "";
      const vectors: Float32Array[] = [];
      for (const input of batchTexts(texts, prefix, limits)) {
        const body = { model, input, encoding_format: "float", ...(isShortened ? { dimensions } : {}) };
        const { host, headers } = connection;
        const url = connection.urlOf("embeddings");
        const request = { provider: host, url, headers, failure: "EMBEDDER_FAILED", signal, body } as const;
        vectors.push(...readVectors(await postJson(request, options), input.length, dimensions));
      }
      return vectors;
    },
  };
}

/** Checked by hand: there are hundreds of thousands of numbers in an answer. */
const vector = z.custom<number[]>((value) => Array.isArray(value) && value.every(Number.isFinite));

const vectorsAnswer = z.lazy(() =>
  z.object({
    data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: vector })),
  }),
);

/** The vectors in the texts' order: by `index`, by position where the server sends none. */
function readVectors({ json, fail }: ModelAnswer, count: number, dimensions: number): Float32Array[] {
  const parsed = vectorsAnswer.safeParse(json);
  if (!parsed.success) throw fail({ reason: "malformed", ...providerCode(json) }, parsed.error);
  const { data } = parsed.data;
  const places = new Map(data.map(({ index, embedding }, position) => [index ?? position, embedding]));
  return Array.from({ length: count }, (_, index) => {
    const embedding = places.get(index);
    if (embedding === undefined || data.length !== count) {
      throw fail({ reason: "count", expected: count, got: data.length });
    }
    if (embedding.length !== dimensions) {
      throw fail({ reason: "dimensions", expected: dimensions, got: embedding.length });
    }
    return Float32Array.from(embedding);
  });
}
