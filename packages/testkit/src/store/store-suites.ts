import type { StoreSuite } from "./store-suite.ts";
import { bytesSuite } from "./suites/bytes-suite.ts";
import { callsSuite } from "./suites/calls-suite.ts";
import { checkpointOwnersSuite } from "./suites/checkpoint-owners-suite.ts";
import { checkpointsSuite } from "./suites/checkpoints-suite.ts";
import { concurrencySuite, twoHandlesSuite } from "./suites/concurrency-suite.ts";
import { conversationsSuite } from "./suites/conversations-suite.ts";
import { durabilitySuite } from "./suites/durability-suite.ts";
import { eraseSuite } from "./suites/erase-suite.ts";
import { factsSuite } from "./suites/facts-suite.ts";
import { followingSuite } from "./suites/following-suite.ts";
import { identitiesSuite } from "./suites/identities-suite.ts";
import { itemsSuite } from "./suites/items-suite.ts";
import { keywordSuite } from "./suites/keyword-suite.ts";
import { checkpointBytesSuite, lastingCheckpointsSuite } from "./suites/lasting-checkpoints-suite.ts";
import { propertiesSuite } from "./suites/properties-suite.ts";
import { purgeSuite } from "./suites/purge-suite.ts";
import { rankingSuite } from "./suites/ranking-suite.ts";
import { recordsSuite } from "./suites/records-suite.ts";
import { replacingSuite } from "./suites/replacing-suite.ts";
import { scopeSuite } from "./suites/scope-suite.ts";
import { searchReadsSuite } from "./suites/search-reads-suite.ts";
import { summariesSuite } from "./suites/summaries-suite.ts";
import { textsSuite } from "./suites/texts-suite.ts";
import { turnsSuite } from "./suites/turns-suite.ts";
import { vectorSearchSuite } from "./suites/vector-search-suite.ts";
import { vectorTurnsSuite } from "./suites/vector-turns-suite.ts";
import { windowSuite } from "./suites/window-suite.ts";
import { workSuite } from "./suites/work-suite.ts";
import { workTripsSuite } from "./suites/work-trips-suite.ts";

/** Every suite of the store contract. */
export const STORE_SUITES: readonly StoreSuite[] = [
  scopeSuite,
  turnsSuite,
  replacingSuite,
  windowSuite,
  conversationsSuite,
  summariesSuite,
  factsSuite,
  recordsSuite,
  itemsSuite,
  checkpointsSuite,
  checkpointOwnersSuite,
  workSuite,
  identitiesSuite,
  purgeSuite,
  eraseSuite,
  textsSuite,
  propertiesSuite,
  keywordSuite,
  followingSuite,
  rankingSuite,
  vectorSearchSuite,
  vectorTurnsSuite,
  searchReadsSuite,
  workTripsSuite,
  callsSuite,
  concurrencySuite,
  twoHandlesSuite,
  durabilitySuite,
  bytesSuite,
  lastingCheckpointsSuite,
  checkpointBytesSuite,
];
