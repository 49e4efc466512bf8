import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";
import { describe, expect, it } from "vitest";
import { chat, rawBytes, temporaryDirectory, turnOf } from "./support/fixtures.ts";

describe("the secret", () => {
  it("G3: is one for all that open the file, lies beside the database and not in it", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "memory.db");
    const stores = [1, 2, 3].map(() => sqliteStore({ path }));
    const secrets = await Promise.all(stores.map((store) => store.secret?.()));
    expect(new Set(secrets.map((secret) => Buffer.from(secret ?? []).toString("hex"))).size).toBe(1);
    expect(secrets[0]).toHaveLength(32);
    await stores[0]?.commitTurn(chat("c"), turnOf("t"));
    await Promise.all(stores.map((store) => store.close()));
    const secret = Buffer.from(secrets[0] ?? []).toString("latin1");
    expect(rawBytes(directory).split(secret)).toHaveLength(2);
    expect(statSync(`${path}.secret`).mode & 0o077).toBe(0);
    const later = sqliteStore({ path });
    expect(await later.secret?.()).toEqual(secrets[0]);
    await later.close();
  });

  it("G3: one that is not whole is told, and not replaced", async () => {
    const path = join(temporaryDirectory(), "memory.db");
    writeFileSync(`${path}.secret`, "short");
    const store = sqliteStore({ path });
    await expect(store.secret?.()).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    await store.close();
  });

  it("G3: in memory it lives as long as the store, and reading alone makes none", async () => {
    const store = sqliteStore({ path: ":memory:" });
    expect(await store.secret?.()).toEqual(await store.secret?.());
    await store.close();
    const reader = sqliteStore({ path: join(temporaryDirectory(), "memory.db"), readOnly: true });
    await expect(reader.secret?.()).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
  });
});
