import type { AgentInputItem } from "@openai/agents";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromItems, toItems } from "../src/index.ts";
import { anyItem } from "./any-item.ts";

/** As JSON holds it: binary as base64. */
const plain = (items: readonly AgentInputItem[]) => JSON.parse(JSON.stringify(items));

describe("B4: items of the host come back as they were", () => {
  it("whatever they are, in any order", () => {
    fc.assert(
      fc.property(fc.array(anyItem(), { maxLength: 12 }), (items) => {
        expect(plain(toItems(fromItems(items), { exact: true }))).toEqual(plain(items));
      }),
      { numRuns: 1_000 },
    );
  });
});
