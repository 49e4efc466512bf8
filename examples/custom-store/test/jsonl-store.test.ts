import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeMemory, describeMemoryStore } from "@throughline/testkit";
import { jsonlStore } from "../src/jsonl-store.ts";

const peek = (directory: string) => readdirSync(directory).map((name) => readFileSync(join(directory, name)));
const open = ({ directory }: { directory: string }) => jsonlStore({ path: join(directory, "memory.jsonl") });

// The whole proof. Which suites run follows from what the store's capabilities say.
describeMemoryStore("jsonlStore", {
  create: open,
  reopen: open,
  peek,
});

// The same for the whole memory over it.
describeMemory("jsonlStore", { create: open, peek });
