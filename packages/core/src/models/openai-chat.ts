import * as z from "zod";
import { checkNumbers } from "../checks/numbers.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { later } from "../memory/later.ts";
import type { AskModel, ModelText } from "./ask-model.ts";
import { firstSet, processEnvironment } from "./environment.ts";
import { type FailureCode, providerCode } from "./model-failure.ts";
import { MODEL_NUMBERS } from "./model-options.ts";
import { type OpenAIOptions, openaiConnection } from "./openai-connection.ts";
import type { ModelAnswer } from "./post-json.ts";

const postJson = later(async () => (await import("./post-json.ts")).postJson);

/** What every part over Chat Completions can be told. */
export interface OpenAIChatOptions extends OpenAIOptions {
  /** Id of the model; at Azure the deployment's name. @default `OPENAI_MODEL`, else `"gpt-4.1-mini"` */
  model?: string;
  /** Tokens of one request, instructions included. Set it below the model's context. @default 32000 */
  maxInputTokens?: number;
}

/**
 * Asks a model by OpenAI's Chat Completions. Throws `INVALID_ARGUMENT` for an unusable address, a missing key or a number that
 * can't be meant; a call
 * rejects with `failure`, `TIMEOUT` or `ABORTED`.
 */
export function openaiChat(options: OpenAIChatOptions, failure: FailureCode): AskModel {
  checkNumbers("The OpenAI model", options, { ...MODEL_NUMBERS, maxInputTokens: "count" });
  const env = options.env ?? processEnvironment();
  const model = firstSet(options.model, env.OPENAI_MODEL) ?? "gpt-4.1-mini";
  const connection = openaiConnection(options, model);
  // Newer models of OpenAI take only the one name, most compatible servers and older models only the other.
  let limitName: LimitName = connection.isOriginal ? "max_completion_tokens" : "max_tokens";

  return async ({ instructions, text, maxOutputTokens, signal }) => {
    const send = (limit: LimitName): Promise<ModelAnswer> =>
      postJson(
        {
          provider: connection.host,
          url: connection.urlOf("chat/completions"),
          headers: connection.headers,
          failure,
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
