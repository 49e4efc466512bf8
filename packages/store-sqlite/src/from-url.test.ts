import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { chat, temporaryDirectory, turnOf } from "../test/support/fixtures.ts";
import { fromUrl } from "./from-url.ts";

describe("fromUrl", () => {
  it("T9: opens the file that the URL names, with odd characters decoded", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "my memory %.db");
    const urls = [
      `sqlite://${pathToFileURL(path).pathname}`,
      pathToFileURL(path).href,
      `sqlite:${path.replaceAll("%", "%25")}`,
    ];
    for (const [index, url] of urls.entries()) {
      const store = fromUrl(url);
      const written = await store.commitTurn(chat("c"), turnOf(`t${index}`));
      expect(written).toMatchObject({ status: "stored", seq: index + 1 });
      await store.close();
    }
    expect(existsSync(path)).toBe(true);
  });

  it("T9: sqlite::memory: keeps everything in the process", async () => {
    const store = fromUrl("sqlite::memory:");
    expect(store.capabilities).toMatchObject({ durable: false, multiProcess: false });
    expect((await store.commitTurn(chat("c"), turnOf("t"))).status).toBe("stored");
    await store.close();
  });

  it("T9: constructing opens nothing", () => {
    const path = join(temporaryDirectory(), "memory.db");
    fromUrl(`sqlite:${path}`);
    expect(existsSync(path)).toBe(false);
  });

  it("T9: other schemes and malformed URLs are refused with a code", () => {
    for (const url of ["postgres://host/db", "memory.db", "", "sqlite:"]) {
      expect(() => fromUrl(url)).toThrowError(expect.objectContaining({ code: "STORE_NOT_AVAILABLE" }));
    }
    for (const url of ["sqlite:./a.db?mode=ro", "sqlite:./%zz.db", "sqlite://host/a.db"]) {
      expect(() => fromUrl(url)).toThrowError(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
  });
});
