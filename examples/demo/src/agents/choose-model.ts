import { type AssistantServer, assistantServer } from "../offline/assistant-server.ts";

/** Where a model that speaks OpenAI's wire format is, and what it is called there. */
export interface ModelAddress {
  baseUrl: string;
  /** Any text where the server asks for none. */
  apiKey: string;
  name: string;
}

/** The model that answers. */
export interface ChosenModel {
  address: ModelAddress;
  /** One line for the person at the terminal. */
  title: string;
  isOffline: boolean;
  /** Call it when nobody will be asked any more. */
  close(): Promise<void>;
}

const OFFLINE_TITLE = "scripted assistant: no key, no network; it follows a script, the memory is real";
const DEFAULT_BASE_URL = "https://api.openai.com/v1";
const DEFAULT_MODEL = "gpt-5-mini";

/** The environment's model where it names one, else the scripted assistant, served to this machine alone. */
export async function chooseModel(env: Record<string, string | undefined>): Promise<ChosenModel> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: given, OPENAI_MODEL: model } = env;
  if (!apiKey && !given) {
    const { baseUrl, close }: AssistantServer = await assistantServer();
    return {
      address: { baseUrl, apiKey: "none", name: "scripted-assistant" },
      title: OFFLINE_TITLE,
      isOffline: true,
      close,
    };
  }
  const baseUrl = given || DEFAULT_BASE_URL;
  const name = model || DEFAULT_MODEL;
  return {
    address: { baseUrl, apiKey: apiKey || "none", name },
    title: `${name} at ${URL.parse(baseUrl)?.host ?? baseUrl}`,
    isOffline: false,
    close: async () => {},
  };
}
