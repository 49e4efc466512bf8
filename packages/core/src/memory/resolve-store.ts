import type { MemoryStore } from "../contract/memory-store.ts";
import { MemoryError } from "../errors/memory-error.ts";

/** Which package's `fromUrl` answers for a URL scheme. */
const PACKAGES: Record<string, string> = {
  sqlite: "@throughline/store-sqlite",
  file: "@throughline/store-sqlite",
  postgres: "@throughline/store-postgres",
  postgresql: "@throughline/store-postgres",
};

/** The package that answers for a URL. Throws `STORE_NOT_AVAILABLE` where the scheme is unknown. */
export function checkStoreUrl(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? "";
  const name = Object.hasOwn(PACKAGES, scheme) ? PACKAGES[scheme] : undefined;
  if (name === undefined) {
    throw new MemoryError(
      "STORE_NOT_AVAILABLE",
      `AGENT_MEMORY_URL has the scheme "${scheme}"; use one of ${Object.keys(PACKAGES).join(", ")}.`,
      { details: { scheme } },
    );
  }
  return name;
}

/**
 * The store of `AGENT_MEMORY_URL`. The package is loaded at run time by its name, so that core depends on no store.
 * Throws `STORE_NOT_AVAILABLE` where the scheme is unknown or the package isn't installed. The URL may hold a
 * password, so messages name its scheme only.
 */
export async function storeFromUrl(url: string): Promise<MemoryStore> {
  const name = checkStoreUrl(url);
  let loaded: { fromUrl?: (url: string) => MemoryStore };
  try {
    // Bundlers leave the name alone: which package it is shows at run time only.
    loaded = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as typeof loaded;
  } catch (cause) {
    throw new MemoryError(
      "STORE_NOT_AVAILABLE",
      `AGENT_MEMORY_URL needs the package ${name}; install it, or pass its fromUrl(url) as the store.`,
      { cause, details: { package: name } },
    );
  }
  if (typeof loaded.fromUrl !== "function") {
    throw new MemoryError("STORE_NOT_AVAILABLE", `The package ${name} exports no fromUrl; update it.`, {
      details: { package: name },
    });
  }
  return loaded.fromUrl(url);
}
