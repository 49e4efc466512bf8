import type { MemorySuite } from "./memory-suite.ts";
import { administeringSuite } from "./suites/administering-suite.ts";
import { artifactsSuite } from "./suites/artifacts-suite.ts";
import { continuingSuite } from "./suites/continuing-suite.ts";
import { erasingSuite } from "./suites/erasing-suite.ts";
import { extractingSuite } from "./suites/extracting-suite.ts";
import { factsSuite } from "./suites/facts-suite.ts";
import { foldingSuite } from "./suites/folding-suite.ts";
import { peopleSuite } from "./suites/people-suite.ts";
import { searchSuite } from "./suites/search-suite.ts";
import { turnsSuite } from "./suites/turns-suite.ts";
import { workSuite } from "./suites/work-suite.ts";

/** Every suite of the memory's behaviour. */
export const MEMORY_SUITES: readonly MemorySuite[] = [
  turnsSuite,
  continuingSuite,
  foldingSuite,
  factsSuite,
  peopleSuite,
  administeringSuite,
  searchSuite,
  erasingSuite,
  artifactsSuite,
  workSuite,
  extractingSuite,
];
