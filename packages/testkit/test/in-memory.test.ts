import { inMemoryStore } from "@throughline/core";
import { describeMemoryStore } from "@throughline/testkit";

describeMemoryStore("inMemoryStore", { create: () => inMemoryStore() });
