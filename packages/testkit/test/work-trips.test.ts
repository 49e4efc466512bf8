import { describe, it } from "vitest";
import { runStoreCase } from "../src/store/run-store-case.ts";
import { titleOf } from "../src/store/store-suite.ts";
import { workTripsSuite } from "../src/store/suites/work-trips-suite.ts";
import { soundHooks } from "./support/sound-store.ts";
import { withWorkTrips } from "./support/work-trips.ts";

// What the broken ones break is sound before.
describe("a sound store that begins and ends work in one trip each", () => {
  for (const storeCase of workTripsSuite.cases) {
    it(titleOf(storeCase), () => runStoreCase(soundHooks(withWorkTrips), storeCase));
  }
});
