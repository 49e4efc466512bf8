import { MemoryError } from "../errors/memory-error.ts";

const LOCAL_OR_WEB = /^https?:$/;

/** A provider's address. Throws `INVALID_ARGUMENT` where it isn't an http(s) URL or holds a password. */
export function parseBaseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !LOCAL_OR_WEB.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new MemoryError("INVALID_ARGUMENT", "baseUrl must be an http or https URL without credentials in it.", {
      details: { option: "baseUrl" },
    });
  }
  url.hash = "";
  return url;
}

/** `base` with a path added; its own path and query are kept. */
export function withPath(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, "")}/${path}`;
  return url;
}

/** True for an address of Azure OpenAI. */
export const isAzureHost = (url: URL): boolean =>
  /\.(openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/i.test(url.hostname);

/** The stable version of Azure's API that is asked for unless another is named. */
const AZURE_API_VERSION = "2024-10-21";

/**
 * An address of Azure OpenAI in full. A bare resource becomes that of its deployment (`model` is its name); the `v1`
 * API takes no version; all else gets `api-version` where it isn't there yet.
 */
export function azureUrl(base: URL, model: string, apiVersion: string | undefined): URL {
  const bare = /^\/*(openai\/*)?$/.test(base.pathname);
  const root = new URL("/openai", base);
  root.search = base.search;
  const url = bare ? withPath(root, `deployments/${encodeURIComponent(model)}`) : new URL(base);
  const needsVersion = !/\/v1\/*$/.test(url.pathname) || apiVersion !== undefined;
  if (needsVersion && !url.searchParams.has("api-version")) {
    url.searchParams.set("api-version", apiVersion ?? AZURE_API_VERSION);
  }
  return url;
}
