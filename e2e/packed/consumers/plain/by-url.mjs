// The store that the environment names, loaded by core: as a deployment says it, not the code.
import * as core from "@throughline/core";
import { useMemory } from "./use-memory.cjs";

await useMemory(core, () => ({}));
console.log("ok");
