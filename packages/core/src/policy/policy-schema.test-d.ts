import { describe, expectTypeOf, it } from "vitest";
import type { MemoryOptions } from "../contract/memory.ts";
import type { MemoryPolicyInput } from "./policy-schema.ts";

describe("a policy's type", () => {
  it("T3: takes every spelling of a tier", () => {
    const policy = {
      enabled: true,
      maxMessages: 6,
      conversation: { maxMessages: 6 },
      longTerm: null,
      search: false,
      retention: { messages: "forever", vectors: "90d", toolResults: 1_000 },
    } satisfies MemoryPolicyInput;
    expectTypeOf(policy).toExtend<NonNullable<MemoryOptions["policy"]>>();
  });

  it("T5: refuses a misspelt field, in a tier too", () => {
    // @ts-expect-error maxMesages is no field of a conversation
    const inTier: MemoryPolicyInput = { conversation: { maxMesages: 6 } };
    // @ts-expect-error serach is no tier
    const tier: MemoryPolicyInput = { serach: true };
    expectTypeOf(inTier).toEqualTypeOf(tier);
  });
});
