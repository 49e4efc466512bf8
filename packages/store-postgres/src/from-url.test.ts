import { MemoryError } from "@throughline/core";
import { describe, expect, it } from "vitest";
import { fromUrl } from "./from-url.ts";
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

  it("J12: a store is told one way to its database", () => {
    expect(codeOf(() => postgresStore({}))).toBe("INVALID_ARGUMENT");
    const pool = { connect: () => Promise.reject(new Error("not asked")) };
    expect(codeOf(() => postgresStore({ pool, connectionString: "postgres://x" }))).toBe("INVALID_ARGUMENT");
  });
});
