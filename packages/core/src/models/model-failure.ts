import * as z from "zod";
import type { MemoryErrorCode } from "../errors/codes.ts";
import { MemoryError } from "../errors/memory-error.ts";

/** Which part failed. */
export type FailureCode = Extract<MemoryErrorCode, "SUMMARIZER_FAILED" | "DISTILLER_FAILED" | "EMBEDDER_FAILED">;

/** Why a provider's answer could not be used. */
export type FailureReason =
  | "network"
  | "status"
  | "redirect"
  | "content-type"
  | "malformed"
  | "unreadable"
  | "empty"
  | "truncated"
  | "refused"
  | "count"
  | "dimensions";

const WHAT: Record<FailureReason, string> = {
  network: "could not be reached or broke off",
  status: "answered with an error",
  redirect: "redirected the request; set baseUrl to where it points",
  "content-type": "did not answer in JSON; check baseUrl",
  malformed: "answered in a form that its API does not have",
  unreadable: "answered with something else than the JSON it was asked for",
  empty: "answered with no text",
  truncated: "was cut off before a usable sentence ended; raise maxTokens",
  refused: "refused to answer",
  count: "answered with another number of vectors than texts",
  dimensions: "answered with vectors of other dimensions than expected",
};

/** What is known of a failure. Nothing of it is conversation text or a key. */
export interface FailureDetails {
  /** Host of the provider's address. */
  provider: string;
  reason: FailureReason;
  /** Requests sent. */
  attempts: number;
  /** HTTP status of the answer, where there was one. */
  status?: number;
  /** The provider's own code, for example `"rate_limit_error"`. */
  providerCode?: string;
  /** The request's field that the provider didn't take. */
  param?: string;
  /** For `count` and `dimensions`: what was asked for. */
  expected?: number;
  /** For `count` and `dimensions`: what came. */
  got?: number;
}

/** Failures that the same call will meet again. */
const LASTING: ReadonlySet<FailureReason> = new Set(["redirect", "content-type", "dimensions"]);

/**
 * The error of a failed call. It is retryable unless the provider turned the request down for good (4xx, but not 408,
 * 409 and 429) or is set up wrongly.
 */
export function modelFailure(code: FailureCode, details: FailureDetails, cause?: unknown): MemoryError {
  const { provider, reason, status, providerCode } = details;
  const told = reason === "status" ? [status, providerCode].filter((part) => part !== undefined).join(" ") : "";
  const isTurnedDown = reason === "status" && status !== undefined && status < 500 && ![408, 409, 429].includes(status);
  return new MemoryError(code, `The model at ${provider} ${WHAT[reason]}${told === "" ? "" : ` (${told})`}.`, {
    details: { ...details },
    retryable: !isTurnedDown && !LASTING.has(reason),
    ...(cause === undefined ? {} : { cause }),
  });
}

const errorBody = z.lazy(() => {
  // A machine's word: what else providers write into these fields may quote the request.
  const word = z
    .union([z.string().regex(/^[\w.:-]{1,64}$/), z.int().transform(String)])
    .nullish()
    .catch(null);
  // OpenAI, Azure, Anthropic, LiteLLM: `{ error: { code, type, param } }`; vLLM: the same fields at the top.
  const codes = z.object({ code: word, type: word, param: word });
  return codes.extend({ error: codes.nullish().catch(null) });
});

/** The provider's code in the body of an error, and the field it is about. Never its message. */
export function providerCode(body: unknown): { providerCode?: string; param?: string } {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return {};
  const from = parsed.data.error ?? parsed.data;
  // vLLM repeats the status as its code.
  const code = from.code && !/^\d+$/.test(from.code) ? from.code : (from.type ?? from.code);
  return {
    ...(code ? { providerCode: code } : {}),
    ...(from.param ? { param: from.param } : {}),
  };
}
