import * as z from "zod";
import type { Summarizer } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { firstSet, processEnvironment } from "./environment.ts";
import { providerCode } from "./model-failure.ts";
import { DEFAULT_INPUT_TOKENS, type ModelText, modelSummarizer, type Prompt } from "./model-summarizer.ts";
import { type OpenAIOptions, openaiConnection } from "./openai-connection.ts";
import { type ModelAnswer, postJson } from "./post-json.ts";

/** What {@link openaiSummarizer} can be told. */
export interface OpenAISummarizerOptions extends OpenAIOptions {
  /** Id of the model; at Azure the deployment's name. @default `OPENAI_MODEL`, else `"gpt-4.1-mini"` */
  model?: string;
  /** Tokens of one request, instructions included. Set it below the model's context. @default 32000 */
  maxInputTokens?: number;
}

/**
 * A summarizer over OpenAI's Chat Completions, which vLLM, Ollama, LiteLLM, Azure OpenAI and many others speak: set
 * `baseUrl`. An answer is limited to about 1.5 times the summary's `maxTokens`; a model that thinks first needs more,
 * given by `extraBody`.
 *
 * Throws `INVALID_ARGUMENT` for an unusable address or a missing key. A call rejects with `SUMMARIZER_FAILED`,
 * `TIMEOUT` or `ABORTED`; an answer that is empty, refused, malformed or cut off without a usable part is a failure.
 */
export function openaiSummarizer(options: OpenAISummarizerOptions = {}): Summarizer {
  const env = options.env ?? processEnvironment();
  const model = firstSet(options.model, env.OPENAI_MODEL) ?? "gpt-4.1-mini";
  const connection = openaiConnection(options, model);
  // Newer models of OpenAI take only the one name, most compatible servers and older models only the other.
  let limitName: LimitName = connection.isOriginal ? "max_completion_tokens" : "max_tokens";

  const ask = async ({ instructions, text, maxOutputTokens, signal }: Prompt): Promise<ModelText> => {
    const send = (limit: LimitName): Promise<ModelAnswer> =>
      postJson(
        {
          provider: connection.host,
          url: connection.urlOf("chat/completions"),
          headers: connection.headers,
          failure: "SUMMARIZER_FAILED",
          signal,
          body: {
            model,
            messages: [
              { role: "system", content: instructions },
              { role: "user", content: text },
            ],
            [limit]: maxOutputTokens,
          },
        },
        options,
      );
    try {
      return readChat(await send(limitName));
    } catch (error) {
      if (!isAboutLimit(error, limitName)) throw error;
      const other = limitName === "max_tokens" ? "max_completion_tokens" : "max_tokens";
      const answer = readChat(await send(other));
      limitName = other;
      return answer;
    }
  };
  return modelSummarizer(ask, options.maxInputTokens ?? DEFAULT_INPUT_TOKENS);
}

type LimitName = "max_tokens" | "max_completion_tokens";

/** A server that doesn't know the limit's name says so, or turns the request down without a reason. */
function isAboutLimit(error: unknown, name: LimitName): boolean {
  if (!MemoryError.isInstance(error) || error.details.status !== 400) return false;
  const { param, providerCode } = error.details;
  return param === name || (param === undefined && (!providerCode || providerCode === "invalid_request_error"));
}

const chatAnswer = z.lazy(() =>
  z.object({
    choices: z
      .array(
        z.object({
          finish_reason: z.string().nullish(),
          message: z.object({
            content: z.union([z.string(), z.array(z.object({ text: z.string().nullish() }))]).nullish(),
            refusal: z.string().nullish(),
          }),
        }),
      )
      .min(1),
  }),
);

function readChat({ json, fail }: ModelAnswer): ModelText {
  const parsed = chatAnswer.safeParse(json);
  const choice = parsed.data?.choices[0];
  if (choice === undefined) throw fail({ reason: "malformed", ...providerCode(json) }, parsed.error);
  const { content, refusal } = choice.message;
  if (refusal || choice.finish_reason === "content_filter") throw fail({ reason: "refused" });
  const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
  return { text: withoutThoughts(text), isTruncated: choice.finish_reason === "length", fail };
}

/** Open models write their thoughts before the answer; unfinished thoughts are no answer. */
const withoutThoughts = (text: string): string => text.replace(/^\s*<think(?:ing)?>.*?(?:<\/think(?:ing)?>|$)/s, "");
