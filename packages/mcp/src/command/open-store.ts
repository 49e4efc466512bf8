import { MemoryError, type MemoryStore } from "@throughline/core";

/** Which package answers for a URL's scheme. */
const PACKAGES: { readonly [scheme: string]: string } = {
  sqlite: "@throughline/store-sqlite",
  file: "@throughline/store-sqlite",
  postgres: "@throughline/store-postgres",
  postgresql: "@throughline/store-postgres",
};

/**
 * The store of a URL, which may hold a password: messages name its scheme only. Opens nothing. Throws
 * `STORE_NOT_AVAILABLE` for a scheme that no package answers for, and where the package isn't installed.
 */
export async function openStore(url: string): Promise<MemoryStore> {
  const scheme = /^([a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase() ?? "";
  const name = Object.hasOwn(PACKAGES, scheme) ? PACKAGES[scheme] : undefined;
  if (name === undefined) {
    const known = Object.keys(PACKAGES).join(", ");
    throw new MemoryError(
      "STORE_NOT_AVAILABLE",
      `No store answers for "${scheme}:"; there are ${known}, or give a file.`,
    );
  }
  let loaded: { fromUrl(url: string): MemoryStore };
  try {
    // Each store package exports it.
    loaded = (await import(name)) as typeof loaded;
  } catch (cause) {
    const how = `npx -p @throughline/mcp -p ${name} throughline-mcp …`;
    throw new MemoryError("STORE_NOT_AVAILABLE", `The package ${name} isn't installed; run ${how}`, { cause });
  }
  return loaded.fromUrl(url);
}
