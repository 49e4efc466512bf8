import { describe, expect, it } from "vitest";
import { runStoreCase } from "../src/store/run-store-case.ts";
import { titleOf } from "../src/store/store-suite.ts";
import { STORE_SUITES } from "../src/store/store-suites.ts";
import { BROKEN_STORES } from "./support/broken-stores.ts";

describe("J1: every suite fails a store that breaks its promise", () => {
  it("has a broken store for every suite, and cases in every suite", () => {
    const suites = STORE_SUITES.map((suite) => suite.name);
    expect(new Set(suites).size).toBe(suites.length);
    expect(suites.filter((name) => !BROKEN_STORES.some((store) => store.suite === name))).toEqual([]);
    expect(STORE_SUITES.filter((suite) => suite.cases.length === 0)).toEqual([]);
    for (const suite of STORE_SUITES) {
      const titles = suite.cases.map((storeCase) => storeCase.title);
      expect(new Set(titles).size).toBe(titles.length);
    }
  });

  for (const broken of BROKEN_STORES) {
    it(`${broken.suite}: a store that ${broken.name} is caught`, async () => {
      const suite = STORE_SUITES.find((candidate) => candidate.name === broken.suite);
      const failed: string[] = [];
      for (const storeCase of suite?.cases ?? []) {
        const error = await runStoreCase(broken.hooks, storeCase).then(
          () => null,
          (reason: unknown) => reason,
        );
        if (error !== null) failed.push(titleOf(storeCase));
      }
      for (const words of broken.caughtBy) {
        expect(
          failed.filter((title) => title.includes(words)),
          `failed: ${failed.join(" | ")}`,
        ).not.toEqual([]);
      }
      expect(broken.caughtBy.length).toBeGreaterThan(0);
    });
  }
});
