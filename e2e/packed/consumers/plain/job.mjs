import * as core from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { useMemory } from "./use-memory.cjs";

const [path] = process.argv.slice(2);
await useMemory(core, () => ({ store: sqliteStore({ path }), env: {} }));
console.log("ok");
