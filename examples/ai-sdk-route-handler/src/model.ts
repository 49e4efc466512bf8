import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { offlineModel } from "./offline-model.ts";

const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: name = "gpt-5-mini" } = process.env;

/** The model that the environment names; without a key or an address the scripted offline one. */
export const model: LanguageModelV4 =
  apiKey || baseURL
    ? createOpenAICompatible({
        name: "openai",
        baseURL: baseURL || "https://api.openai.com/v1",
        ...(apiKey ? { apiKey } : {}),
      }).chatModel(name)
    : offlineModel();
