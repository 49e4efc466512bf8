import { describeMemoryStore } from "@throughline/testkit";
import { soundHooks } from "./support/sound-store.ts";

// Every suite runs here, those for durable, shared and searchable stores too: what broken stores break is sound before.
describeMemoryStore("a sound store with every ability", soundHooks());
