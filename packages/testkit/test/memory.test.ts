import { inMemoryStore } from "@throughline/core";
import { describeMemory } from "@throughline/testkit";
import { soundHooks } from "./support/sound-store.ts";

describeMemory("inMemoryStore", { create: () => inMemoryStore() });
describeMemory("a sound store with every ability", soundHooks());
