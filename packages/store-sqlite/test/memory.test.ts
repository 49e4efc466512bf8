import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";
import { describeMemory } from "@throughline/testkit";

describeMemory("sqliteStore", {
  create: ({ directory }) => sqliteStore({ path: join(directory, "memory.db") }),
  peek: (directory) => readdirSync(directory).map((name) => readFileSync(join(directory, name))),
});
