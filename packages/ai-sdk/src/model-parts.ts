import {
  type Distiller,
  type Embedder,
  type FailureCode,
  isStop,
  MemoryError,
  type ModelText,
  modelDistiller,
  modelFailure,
  modelSummarizer,
  type Prompt,
  type Summarizer,
} from "@throughline/core";
import { APICallError, type EmbeddingModel, embedMany, generateText, type LanguageModel } from "ai";

type CallSettings = Pick<
  Parameters<typeof generateText>[0],
  "temperature" | "reasoning" | "providerOptions" | "headers" | "maxRetries" | "timeout" | "telemetry"
>;

/** What a model-backed part can be told: the SDK's own settings, and how much it may be given. */
export interface ModelPartOptions extends CallSettings {
  /** Tokens of one request, instructions included. Set it below the model's context. @default 32000 */
  maxInputTokens?: number;
}

/**
 * A summarizer over any language model of the AI SDK; retries and failover are the SDK's and the model's own. A call
 * rejects with `SUMMARIZER_FAILED` or `ABORTED`.
 */
export function summarizerFrom(model: LanguageModel, options: ModelPartOptions = {}): Summarizer {
  const { maxInputTokens, ...settings } = options;
  return modelSummarizer(asker(model, settings, "SUMMARIZER_FAILED"), maxInputTokens);
}

/**
 * A distiller over any language model of the AI SDK. One request a call, a second where the answer can't be read. A call
 * rejects with `DISTILLER_FAILED` or `ABORTED`.
 */
export function distillerFrom(model: LanguageModel, options: ModelPartOptions = {}): Distiller {
  const { maxInputTokens, ...settings } = options;
  return modelDistiller(asker(model, settings, "DISTILLER_FAILED"), maxInputTokens);
}

/** Asks the model once; its errors become the memory's, without the text that providers quote. */
function asker(model: LanguageModel, settings: CallSettings, code: FailureCode) {
  const fail: ModelText["fail"] = (details, cause) =>
    modelFailure(code, { provider: nameOf(model), attempts: 1, ...details }, cause);
  return async ({ instructions, text, maxOutputTokens, signal }: Prompt): Promise<ModelText> => {
    const call = { ...settings, maxOutputTokens, ...(signal === undefined ? {} : { abortSignal: signal }) };
    const result = await generateText({ model, instructions, prompt: text, ...call }).catch((error: unknown) => {
      throw failureOf(error, signal, fail);
    });
    if (result.finishReason === "content-filter") throw fail({ reason: "refused" });
    return { text: result.text, isTruncated: result.finishReason === "length", fail };
  };
}

/** What {@link embedderFrom} must be told: a model doesn't say how long its vectors are. */
export interface EmbedderOptions
  extends Pick<Parameters<typeof embedMany>[0], "providerOptions" | "headers" | "maxRetries" | "maxParallelCalls"> {
  /** Numbers of one vector. */
  dimensions: number;
  /** Ask the model for vectors of this length; else it is only checked. @default false */
  requestDimensions?: boolean;
  /** Recorded with the vectors. @default the model's own id */
  modelId?: string;
}

/**
 * An embedder over any embedding model of the AI SDK. A call rejects with `EMBEDDER_FAILED` or `ABORTED`, vectors of
 * another length among the reasons.
 */
export function embedderFrom(model: EmbeddingModel, options: EmbedderOptions): Embedder {
  const { dimensions, requestDimensions = false, modelId = modelIdOf(model), ...settings } = options;
  if (!Number.isInteger(dimensions) || dimensions < 1) {
    throw new MemoryError("INVALID_ARGUMENT", "embedderFrom needs the length of the model's vectors in dimensions.");
  }
  const fail: ModelText["fail"] = (details, cause) =>
    modelFailure("EMBEDDER_FAILED", { provider: nameOf(model), attempts: 1, ...details }, cause);
  return {
    modelId,
    dimensions,
    async embed(values, { signal }) {
      if (signal?.aborted) throw aborted(signal.reason);
      if (values.length === 0) return [];
      const call = {
        ...settings,
        ...(requestDimensions ? { dimensions } : {}),
        ...(signal ? { abortSignal: signal } : {}),
      };
      const { embeddings } = await embedMany({ model, values, ...call }).catch((error: unknown) => {
        throw failureOf(error, signal, fail);
      });
      if (embeddings.length !== values.length) {
        throw fail({ reason: "count", expected: values.length, got: embeddings.length });
      }
      const odd = embeddings.find((vector) => vector.length !== dimensions);
      if (odd !== undefined) throw fail({ reason: "dimensions", expected: dimensions, got: odd.length });
      return embeddings.map((vector) => Float32Array.from(vector));
    },
  };
}

const aborted = (cause: unknown) => new MemoryError("ABORTED", "The model's answer was no longer wanted.", { cause });
const modelIdOf = (model: LanguageModel | EmbeddingModel) => (typeof model === "string" ? model : model.modelId);
const nameOf = (model: LanguageModel | EmbeddingModel) =>
  typeof model === "string" ? "the AI Gateway" : model.provider;

function failureOf(error: unknown, signal: AbortSignal | undefined, fail: ModelText["fail"]): MemoryError {
  if (signal?.aborted || (isStop(error) && (error as Error).name === "AbortError")) {
    return aborted(error);
  }
  // After its retries the SDK wraps the provider's last error.
  const last = (error as { lastError?: unknown }).lastError ?? error;
  const status = APICallError.isInstance(last) ? last.statusCode : undefined;
  return fail(status === undefined ? { reason: "network" } : { reason: "status", status }, error);
}
