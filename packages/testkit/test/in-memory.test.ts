import { inMemoryStore } from "@throughline/core";
import { describeMemoryStore, withoutAbility } from "@throughline/testkit";

describeMemoryStore("inMemoryStore", { create: () => inMemoryStore() });
describeMemoryStore("a store without vectors", { create: () => withoutAbility(inMemoryStore(), "vectors") });
