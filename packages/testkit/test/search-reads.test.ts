import { describe, it } from "vitest";
import { runStoreCase } from "../src/store/run-store-case.ts";
import { titleOf } from "../src/store/store-suite.ts";
import { searchReadsSuite } from "../src/store/suites/search-reads-suite.ts";
import { withSearchReads } from "./support/search-reads.ts";
import { soundHooks } from "./support/sound-store.ts";

// What the broken ones break is sound before.
describe("a sound store that reads a search at once", () => {
  for (const storeCase of searchReadsSuite.cases) {
    it(titleOf(storeCase), () => runStoreCase(soundHooks(withSearchReads), storeCase));
  }
});
