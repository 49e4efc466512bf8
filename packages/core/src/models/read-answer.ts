import type { MemoryError } from "../errors/memory-error.ts";
import { type FailureDetails, providerCode } from "./model-failure.ts";
import { shouldRetry } from "./retry-wait.ts";

/** One try that gave no answer. */
export interface FailedTry {
  error: MemoryError;
  isRetryable: boolean;
  /** Where the provider may say how long to wait. */
  headers: Headers | null;
}

/** Makes the error of one try. */
export type Fail = (details: Pick<FailureDetails, "reason"> & Partial<FailureDetails>, cause?: unknown) => MemoryError;

/**
 * The JSON of a provider's response, or why there is none. What is said with the wrong content type, or is no JSON,
 * is a failure that only a later call may mend.
 */
export function readAnswer(response: Response, text: string, fail: Fail): { json: unknown } | FailedTry {
  const { status, headers } = response;
  const isRedirect = response.type === "opaqueredirect" || (status >= 300 && status < 400);
  if (isRedirect) return { error: fail({ reason: "redirect" }), isRetryable: false, headers };
  if (!response.ok) {
    const code = providerCode(parse(text));
    const isRetryable = shouldRetry(status, headers, code.providerCode);
    return { error: fail({ reason: "status", ...code }), isRetryable, headers };
  }
  // Some servers name no type at all.
  const type = headers.get("content-type");
  if (type !== null && !/\bjson\b/i.test(type)) {
    return { error: fail({ reason: "content-type" }), isRetryable: false, headers };
  }
  const json = parse(text);
  if (json === undefined) {
    const reason = text.trim() === "" ? "empty" : "malformed";
    return { error: fail({ reason }), isRetryable: false, headers };
  }
  return { json };
}

/** `undefined` where the text is no JSON. The parser's error is dropped: it quotes the text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
