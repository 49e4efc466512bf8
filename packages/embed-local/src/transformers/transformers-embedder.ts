/// <reference path="./transformers-module.d.ts" />
import { type Embedder, MemoryError } from "@throughline/core";
import { abortedError, checkCall, checkOptions, checkVectors, loadOnce, loadPeer } from "../rim.ts";

/** What is used of a tensor. */
export interface FeatureTensor {
  /** Texts, then numbers in a vector. */
  dims: number[];
  /** The vectors, one behind the other. */
  data: ArrayLike<number>;
}

/** What is used of a pipeline for `feature-extraction`. */
export type FeatureExtractor = (
  texts: string[],
  options: { pooling: "mean" | "cls"; normalize: boolean },
) => Promise<FeatureTensor>;

/** What is used of `@huggingface/transformers`, versions 3 and 4. */
export interface TransformersModule {
  /** Loads a model, and gives what makes vectors with it. */
  pipeline(
    task: "feature-extraction",
    model: string,
    options: { dtype?: string; device?: string; local_files_only?: boolean; cache_dir?: string },
  ): Promise<FeatureExtractor>;
}

/** What {@link transformersEmbedder} can be told. */
export interface TransformersEmbedderOptions {
  /** A model of the hub with ONNX weights, or a folder of `env.localModelPath`. @default "Xenova/e5-small-v2" */
  model?: string;
  /** Length of the vectors; needed for other models. @default that of the default model, 384 */
  dimensions?: number;
  /** Which of the model's weights. @default "q8" */
  dtype?: string;
  /** Where it runs: `cpu`, `webgpu` … @default the library's choice */
  device?: string;
  /** Never asks the hub; the model must be on this machine. @default false */
  localOnly?: boolean;
  /** Where downloaded models are kept. @default the library's choice */
  cacheDirectory?: string;
  /** @default "mean" */
  pooling?: "mean" | "cls";
  /** Put before a query's text. @default "query: " for models of the e5 family, else "" */
  queryPrefix?: string;
  /** Put before a document's text. @default "passage: " for models of the e5 family, else "" */
  documentPrefix?: string;
  /** Texts that the model gets at once. @default 16 */
  batchSize?: number;
  /** Recorded with the vectors. @default made of the model and its weights */
  modelId?: string;
  /** Gets the library. @default `() => import("@huggingface/transformers")` */
  load?: () => Promise<TransformersModule>;
}

const DEFAULT_MODEL = "Xenova/e5-small-v2";
const OPTIONS = [
  "model",
  "dimensions",
  "dtype",
  "device",
  "localOnly",
  "cacheDirectory",
  "pooling",
  "queryPrefix",
  "documentPrefix",
  "batchSize",
  "modelId",
  "load",
];

/**
 * An embedder over `@huggingface/transformers`, for a model on this machine or of the hub. Models of the e5 family get the
 * prefixes they were trained with.
 *
 * Nothing is loaded, and nothing downloaded, before the first text. Throws `INVALID_ARGUMENT` for wrong options. `embed`
 * rejects with `EMBEDDER_FAILED` where the library or the model is missing, is of another version, or answers with other
 * vectors, and with `ABORTED`; it gives all vectors or none.
 */
export function transformersEmbedder(options: TransformersEmbedderOptions = {}): Embedder {
  checkOptions("transformersEmbedder", options, OPTIONS);
  const { model = DEFAULT_MODEL, dtype = "q8", pooling = "mean", batchSize = 16 } = options;
  const dimensions = options.dimensions ?? (model === DEFAULT_MODEL ? 384 : undefined);
  if (dimensions === undefined || !Number.isInteger(dimensions) || dimensions < 1) {
    throw new MemoryError("INVALID_ARGUMENT", `Name the length of the vectors of "${model}": pass { dimensions }.`, {
      details: { option: "dimensions" },
    });
  }
  if (!Number.isInteger(batchSize) || batchSize < 1) {
    throw new MemoryError("INVALID_ARGUMENT", "transformersEmbedder: batchSize must be a whole number, 1 or more.");
  }
  const isE5 = /(^|[/-])(multilingual-)?e5-/i.test(model);
  const prefixes = {
    query: options.queryPrefix ?? (isE5 ? "query: " : ""),
    document: options.documentPrefix ?? (isE5 ? "passage: " : ""),
  };
  const extractor = loadOnce(() => openPipeline(model, dtype, options));
  return {
    modelId: options.modelId ?? `${model}@${dtype}`,
    dimensions,
    async embed(texts, call) {
      const { kind, signal } = checkCall("transformersEmbedder", texts, call);
      if (signal?.aborted) throw abortedError(signal);
      const extract = await extractor();
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batchSize) {
        if (signal?.aborted) throw abortedError(signal);
        const some = texts.slice(start, start + batchSize).map((text) => prefixes[kind] + text);
        const { data, dims } = await extract(some, { pooling, normalize: true });
        const length = dims.at(-1) ?? 0;
        const found = some.map((_, index) =>
          Float32Array.from({ length }, (_, place) => data[index * length + place] ?? Number.NaN),
        );
        checkVectors("transformersEmbedder", found, dims.length === 2 ? (dims[0] ?? 0) : 0, dimensions);
        vectors.push(...found);
      }
      return vectors;
    },
  };
}

async function openPipeline(
  model: string,
  dtype: string,
  { load, device, localOnly, cacheDirectory }: TransformersEmbedderOptions,
): Promise<FeatureExtractor> {
  const library = await loadPeer("transformersEmbedder", "@huggingface/transformers (version 3 or 4)", async () => {
    // What it is is looked at before it is used.
    return load === undefined ? ((await import("@huggingface/transformers")) as unknown as TransformersModule) : load();
  });
  if (typeof library.pipeline !== "function") {
    throw new MemoryError(
      "EMBEDDER_FAILED",
      "transformersEmbedder: what was loaded has no pipeline function; versions 3 and 4 of @huggingface/transformers have.",
      { retryable: false },
    );
  }
  try {
    return await library.pipeline("feature-extraction", model, {
      dtype,
      ...(device === undefined ? {} : { device }),
      ...(localOnly === undefined ? {} : { local_files_only: localOnly }),
      ...(cacheDirectory === undefined ? {} : { cache_dir: cacheDirectory }),
    });
  } catch (cause) {
    throw new MemoryError(
      "EMBEDDER_FAILED",
      `transformersEmbedder: the model "${model}" could not be loaded; is it on this machine, or the hub within reach?`,
      { cause },
    );
  }
}
