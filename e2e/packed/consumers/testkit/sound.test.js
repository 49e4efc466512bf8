import { sqliteStore } from "@throughline/store-sqlite";
import { describeMemoryStore } from "@throughline/testkit";

describeMemoryStore("my store", {
  create: ({ directory }) => sqliteStore({ path: `${directory}/memory.db` }),
  reopen: ({ directory }) => sqliteStore({ path: `${directory}/memory.db` }),
});
