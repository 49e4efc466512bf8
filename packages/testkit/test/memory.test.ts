import { inMemoryStore } from "@throughline/core";
import { describeMemory, withoutAbility } from "@throughline/testkit";
import { soundHooks } from "./support/sound-store.ts";

describeMemory("inMemoryStore", { create: () => inMemoryStore() });
describeMemory("a store without vectors", { create: () => withoutAbility(inMemoryStore(), "vectors") });
describeMemory("a sound store with every ability", soundHooks());
