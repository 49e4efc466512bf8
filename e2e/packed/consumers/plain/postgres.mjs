import * as core from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import { useMemory } from "./use-memory.cjs";

const [connectionString, schema] = process.argv.slice(2);
const forgetKey = "a secret of this app";
await useMemory(core, () => ({ store: postgresStore({ connectionString, schema }), forgetKey, env: {} }));
console.log("ok");
