import { MemoryError } from "@throughline/core";
import { describe, expect, it } from "vitest";
import { fromUrl } from "./from-url.ts";
import { migrate } from "./migrate-database.ts";
import { postgresStore } from "./postgres-store.ts";

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return MemoryError.isInstance(error) && error.code;
  }
  return undefined;
};

describe("fromUrl", () => {
  it("T9: makes a store of both spellings of the scheme, and connects nowhere", async () => {
    for (const url of ["postgres://nobody@127.0.0.1:1/x", "postgresql://nobody@127.0.0.1:1/x"]) {
      const store = fromUrl(url);
      expect(store.name).toBe("postgres");
      await store.close();
    }
  });

  it("T9: refuses other schemes with a code", () => {
    for (const url of ["mysql://x", "sqlite:./a.db", "postgres", ""]) {
      expect(
        codeOf(() => fromUrl(url)),
        url,
      ).toBe("STORE_NOT_AVAILABLE");
    }
  });

  it("T9: the URL may name the schema and whether the database is told the tenant; what code gives counts more", async () => {
    const url = "postgres://nobody@127.0.0.1:1/x";
    for (const [query, options, holds] of [
      ["", {}, false],
      ["?throughline.rowLevelSecurity=true", {}, true],
      [
        "?application_name=a%20b&throughline.rowLevelSecurity=true&throughline.schema=mine&throughline.migrate=false",
        {},
        true,
      ],
      // Not the store's: Prisma has one of that name.
      ["?schema=pg_mine&rowLevelSecurity=true", {}, false],
      ["?throughline.rowLevelSecurity=true", { rowLevelSecurity: false }, false],
      // As an app passes on what may not be set.
      ["?throughline.rowLevelSecurity=true", { rowLevelSecurity: undefined }, true],
    ] as const) {
      const store = fromUrl(url + query, options);
      expect(store.capabilities.rowLevelSecurity, query).toBe(holds);
      await store.close();
    }
    for (const query of [
      "?throughline.rowLevelSecurity=yes",
      "?throughline.migrate=",
      "?throughline.schema=",
      "?throughline.schema=pg_mine",
      "?throughline.rls=true",
    ])
      expect(
        codeOf(() => fromUrl(url + query)),
        query,
      ).toBe("INVALID_ARGUMENT");
    // Nobody else overlooks them, and works in another schema.
    const connectionString = `${url}?throughline.schema=mine`;
    expect(codeOf(() => postgresStore({ connectionString }))).toBe("INVALID_ARGUMENT");
    await expect(migrate({ connectionString })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("PR5: what is no PostgreSQL URL is refused as the store is made, without showing it; an unknown host is not", async () => {
    for (const connectionString of ["", " ", "mysql://ana:secret@x", "https://x", "localhost", "host=x dbname=y"]) {
      const make = () => postgresStore({ connectionString });
      expect(codeOf(make), connectionString).toBe("INVALID_ARGUMENT");
      expect(make).not.toThrow(/secret/);
    }
    for (const connectionString of ["postgres://nobody@nowhere.invalid/x", "PostgreSQL://x", "/run/postgresql x"]) {
      await postgresStore({ connectionString }).close();
    }
  });

  it("PR5: a URL that the driver can't read is refused as the store is made, without its password", async () => {
    const urls = ["postgres://ana:secret@x:99999/y", "postgres://ana:secret@x/y?sslrootcert=/nowhere/ca.pem"];
    for (const connectionString of urls) {
      const make = () => postgresStore({ connectionString });
      expect(codeOf(make), connectionString).toBe("INVALID_ARGUMENT");
      expect(make).not.toThrow(/secret/);
      await expect(migrate({ connectionString }), connectionString).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  it("PR5: a schema of the server's own, or no name at all, is refused as the store is made", () => {
    const connectionString = "postgres://x";
    for (const schema of ["", "pg_memory", "information_schema", "a\0b", "\ud800", "x".repeat(64), "ü".repeat(32)])
      expect(
        codeOf(() => postgresStore({ connectionString, schema })),
        JSON.stringify(schema),
      ).toBe("INVALID_ARGUMENT");
    for (const schema of ["pgmemory", 'a "b".c', "ü".repeat(31)])
      expect(
        codeOf(() => postgresStore({ connectionString, schema })),
        schema,
      ).toBeUndefined();
  });

  it("PR5: sizes that are none are refused as the store is made", () => {
    const connectionString = "postgres://x";
    for (const maxConnections of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(
        codeOf(() => postgresStore({ connectionString, maxConnections })),
        `${maxConnections}`,
      ).toBe("INVALID_ARGUMENT");
    for (const vectorCacheBytes of [-1, Number.NaN])
      expect(
        codeOf(() => postgresStore({ connectionString, vectorCacheBytes })),
        `${vectorCacheBytes}`,
      ).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => postgresStore({ connectionString, maxConnections: 1, vectorCacheBytes: 0 }))).toBeUndefined();
  });

  it("J12: a store is told one way to its database", () => {
    expect(codeOf(() => postgresStore({}))).toBe("INVALID_ARGUMENT");
    const pool = { connect: () => Promise.reject(new Error("not asked")) };
    expect(codeOf(() => postgresStore({ pool, connectionString: "postgres://x" }))).toBe("INVALID_ARGUMENT");
  });
});
