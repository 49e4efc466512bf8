import type { LanguageModelV4 } from "@ai-sdk/provider";
import { offlineModel } from "../offline/offline-model.ts";

/** The model that answers, and what to call it. */
export interface ChosenModel {
  model: LanguageModelV4;
  /** One line for the person at the terminal. */
  title: string;
  isOffline: boolean;
}

const OFFLINE_TITLE = "scripted offline model: no key, no network; it follows a script, the memory is real";
const DEFAULT_BASE_URL = "https://api.openai.com/v1";
const DEFAULT_MODEL = "gpt-5-mini";

/** The environment's model where it names one, else the scripted offline one. */
export async function chooseModel(env: Record<string, string | undefined>): Promise<ChosenModel> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: name } = env;
  if (!apiKey && !baseUrl) {
    return { model: offlineModel({ createId: () => crypto.randomUUID() }), title: OFFLINE_TITLE, isOffline: true };
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const baseURL = baseUrl || DEFAULT_BASE_URL;
  const provider = createOpenAICompatible({ name: "openai", baseURL, ...(apiKey ? { apiKey } : {}) });
  const modelId = name || DEFAULT_MODEL;
  return { model: provider.chatModel(modelId), title: `${modelId} at ${new URL(baseURL).host}`, isOffline: false };
}
