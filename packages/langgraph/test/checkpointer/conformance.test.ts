import { inMemoryStore } from "@throughline/core";
import { describeConformance } from "./conformance.ts";

await describeConformance("the in-memory store", inMemoryStore);
