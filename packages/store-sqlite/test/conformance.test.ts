import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";
import { describeMemoryStore } from "@throughline/testkit";

const open = ({ directory }: { directory: string }) => sqliteStore({ path: join(directory, "memory.db") });

describeMemoryStore("sqliteStore", {
  create: open,
  reopen: open,
  peek: (directory) => readdirSync(directory).map((name) => readFileSync(join(directory, name))),
});
