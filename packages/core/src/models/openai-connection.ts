import { MemoryError } from "../errors/memory-error.ts";
import { azureUrl, isAzureHost, parseBaseUrl, withPath } from "./endpoint.ts";
import { firstSet, processEnvironment } from "./environment.ts";
import type { ModelOptions } from "./model-options.ts";
import { requestHeaders } from "./request-headers.ts";

/** Options of everything that speaks OpenAI's API. */
export interface OpenAIOptions extends ModelOptions {
  /**
   * Version of Azure's API. Naming one makes the address an Azure one, whatever its host.
   * @default for Azure hosts `OPENAI_API_VERSION`, else `"2024-10-21"`
   */
  apiVersion?: string;
}

/** Where and how to reach an OpenAI-compatible API. */
export interface OpenAIConnection {
  /** The address of one endpoint, for example `"chat/completions"`. */
  urlOf(path: string): URL;
  host: string;
  headers: Headers;
  /** OpenAI itself or Azure, whose API may be newer than that of compatible servers. */
  isOriginal: boolean;
}

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/** The error of a part that has no key. */
export const missingKey = (variable: string): MemoryError =>
  new MemoryError("INVALID_ARGUMENT", `No API key: pass { apiKey }, or set ${variable}.`, {
    details: { option: "apiKey", variable },
  });

/** True where the app sends credentials in a header of its own. */
export const hasOwnCredentials = (headers: Record<string, string> | undefined): boolean =>
  Object.keys(headers ?? {}).some((name) => /^(authorization|api-key|x-api-key)$/i.test(name));

/**
 * Works out address and headers; connects to nothing. Throws `INVALID_ARGUMENT` for an unusable address, and for a
 * missing key where OpenAI or Azure is meant; compatible servers may need none.
 */
export function openaiConnection(options: OpenAIOptions, model: string): OpenAIConnection {
  const env = options.env ?? processEnvironment();
  const base = parseBaseUrl(firstSet(options.baseUrl, env.OPENAI_BASE_URL) ?? DEFAULT_BASE_URL);
  const isAzure = isAzureHost(base) || options.apiVersion !== undefined;
  const isOriginal = isAzure || base.hostname === new URL(DEFAULT_BASE_URL).hostname;
  const key = firstSet(options.apiKey, isAzure ? env.AZURE_OPENAI_API_KEY : undefined, env.OPENAI_API_KEY);
  if (key === undefined && isOriginal && !hasOwnCredentials(options.headers)) throw missingKey("OPENAI_API_KEY");
  const credentials = key === undefined ? {} : isAzure ? { "api-key": key } : { authorization: `Bearer ${key}` };
  const root = isAzure ? azureUrl(base, model, firstSet(options.apiVersion, env.OPENAI_API_VERSION)) : base;
  return {
    urlOf: (path) => withPath(root, path),
    host: base.host,
    headers: requestHeaders(credentials, options.headers),
    isOriginal,
  };
}
