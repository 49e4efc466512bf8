import { MemoryError } from "../errors/memory-error.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { type FailureCode, modelFailure } from "./model-failure.ts";
import { DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT_MS, type ModelOptions } from "./model-options.ts";
import { type Fail, type FailedTry, readAnswer } from "./read-answer.ts";
import { retryWaitMs } from "./retry-wait.ts";
import { pause, startTimer, unlessAborted } from "./waiting.ts";

/** One request to a provider. */
export interface ModelRequest {
  /** Host of the provider, for messages. */
  provider: string;
  url: URL;
  headers: Headers;
  body: Record<string, unknown>;
  /** The code of a failure. */
  failure: FailureCode;
  signal: AbortSignal | undefined;
}

/** A provider's answer, and how to tell what is wrong with it. */
export interface ModelAnswer {
  json: unknown;
  fail: Fail;
}

const WHAT = "The call of the model";

/**
 * Posts JSON and reads JSON, with retries. Rejects with `ABORTED` at once when the signal fires, with `TIMEOUT` when
 * the last try took too long, and with the request's failure code for all else.
 */
export async function postJson(request: ModelRequest, options: ModelOptions): Promise<ModelAnswer> {
  const { maxRetries = DEFAULT_MAX_RETRIES, random = Math.random, clock = () => new Date(), sleep = pause } = options;
  const { signal } = request;
  throwIfAborted(signal, WHAT);
  const body = JSON.stringify({ ...request.body, ...options.extraBody });
  const headers = new Headers(request.headers);
  const key = await idempotencyKey(request.url.href, body);
  if (key !== undefined && !headers.has("idempotency-key")) headers.set("idempotency-key", key);
  for (let attempts = 1; ; attempts++) {
    const tried = await tryOnce({ ...request, headers }, body, options, attempts);
    if ("json" in tried) return tried;
    if (!tried.isRetryable || attempts > maxRetries) throw tried.error;
    const waitMs = retryWaitMs(attempts, { headers: tried.headers, now: clock(), random });
    await unlessAborted(sleep(waitMs, signal), signal, WHAT);
  }
}

async function tryOnce(
  { provider, url, headers, failure, signal }: ModelRequest,
  body: string,
  options: ModelOptions,
  attempts: number,
): Promise<ModelAnswer | FailedTry> {
  throwIfAborted(signal, WHAT);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const controller = new AbortController();
  const stop = () => controller.abort();
  const cancelTimer = startTimer(timeoutMs, stop);
  signal?.addEventListener("abort", stop, { once: true });
  const call = async (): Promise<{ response: Response; text: string }> => {
    // A redirect would carry a key in a header of its own to another host.
    const init: RequestInit = { method: "POST", headers, body, redirect: "manual", signal: controller.signal };
    const response = await (options.fetch ?? globalThis.fetch)(url, init);
    return { response, text: await response.text() };
  };
  let status: number | undefined;
  const fail: Fail = (details, cause) =>
    modelFailure(failure, { provider, attempts, ...(status === undefined ? {} : { status }), ...details }, cause);
  try {
    // Raced, as a fetch of the app's own may not heed its signal.
    const { response, text } = await unlessAborted(call(), controller.signal, WHAT);
    status = response.status;
    const answer = readAnswer(response, text, fail);
    return "json" in answer ? { ...answer, fail } : answer;
  } catch (cause) {
    throwIfAborted(signal, WHAT);
    const error = controller.signal.aborted
      ? new MemoryError("TIMEOUT", `The model at ${provider} took longer than ${timeoutMs} ms.`, {
          details: { provider, attempts, timeoutMs },
        })
      : fail({ reason: "network" }, cause);
    return { error, isRetryable: true, headers: null };
  } finally {
    cancelTimer();
    signal?.removeEventListener("abort", stop);
  }
}
