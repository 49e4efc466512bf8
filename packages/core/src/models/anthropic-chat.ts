import * as z from "zod";
import { checkNumbers } from "../checks/numbers.ts";
import { later } from "../memory/later.ts";
import type { AskModel, ModelText } from "./ask-model.ts";
import { parseBaseUrl, withPath } from "./endpoint.ts";
import { firstSet, processEnvironment } from "./environment.ts";
import { type FailureCode, providerCode } from "./model-failure.ts";
import { MODEL_NUMBERS, type ModelOptions } from "./model-options.ts";
import { hasOwnCredentials, missingKey } from "./openai-connection.ts";
import type { ModelAnswer } from "./post-json.ts";
import { requestHeaders } from "./request-headers.ts";

const postJson = later(async () => (await import("./post-json.ts")).postJson);

/** What every part over the Messages API can be told. */
export interface AnthropicChatOptions extends ModelOptions {
  /** Id of the model. @default `"claude-haiku-4-5"` */
  model?: string;
  /** Tokens of one request, instructions included. Set it below the model's context. @default 32000 */
  maxInputTokens?: number;
}

const DEFAULT_BASE_URL = "https://api.anthropic.com";
const API_VERSION = "2023-06-01";

/**
 * Asks a model by Anthropic's Messages API. Throws `INVALID_ARGUMENT` for an unusable address, a missing key or a number that
 * can't be meant; a call
 * rejects with `failure`, `TIMEOUT` or `ABORTED`.
 */
export function anthropicChat(options: AnthropicChatOptions, failure: FailureCode): AskModel {
  checkNumbers("The Anthropic model", options, { ...MODEL_NUMBERS, maxInputTokens: "count" });
  const env = options.env ?? processEnvironment();
  const base = parseBaseUrl(firstSet(options.baseUrl, env.ANTHROPIC_BASE_URL) ?? DEFAULT_BASE_URL);
  const key = firstSet(options.apiKey, env.ANTHROPIC_API_KEY);
  const isOriginal = base.hostname === new URL(DEFAULT_BASE_URL).hostname;
  if (key === undefined && isOriginal && !hasOwnCredentials(options.headers)) throw missingKey("ANTHROPIC_API_KEY");
  const credentials = key === undefined ? {} : { "x-api-key": key };
  const headers = requestHeaders({ "anthropic-version": API_VERSION }, credentials, options.headers);
  const url = withPath(base, /\/v1\/*$/.test(base.pathname) ? "messages" : "v1/messages");

  return async ({ instructions, text, maxOutputTokens, signal }) => {
    const body = {
      model: firstSet(options.model) ?? "claude-haiku-4-5",
      max_tokens: maxOutputTokens,
      system: instructions,
      messages: [{ role: "user", content: text }],
    };
    return readMessage(await postJson({ provider: base.host, url, headers, failure, signal, body }, options));
  };
}

const messageAnswer = z.lazy(() =>
  z.object({
    content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
    stop_reason: z.string().nullish(),
  }),
);

/** The provider ended the answer at a limit, its own or the model's. */
const CUT_OFF = new Set(["max_tokens", "model_context_window_exceeded"]);

function readMessage({ json, fail }: ModelAnswer): ModelText {
  const parsed = messageAnswer.safeParse(json);
  if (!parsed.success) throw fail({ reason: "malformed", ...providerCode(json) }, parsed.error);
  const { content, stop_reason } = parsed.data;
  if (stop_reason === "refusal") throw fail({ reason: "refused" });
  const text = content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
  return { text, isTruncated: CUT_OFF.has(stop_reason ?? ""), fail };
}
