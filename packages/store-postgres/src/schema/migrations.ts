import { CHECKPOINT_FUNCTIONS } from "./checkpoint-functions.ts";
import { CHECKPOINT_TABLES } from "./checkpoint-tables.ts";
import { FUNCTIONS } from "./functions.ts";
import { NEAR_FUNCTIONS } from "./near-functions.ts";
import { SEARCH_FUNCTIONS } from "./search-functions.ts";
import { STATISTICS } from "./statistics.ts";
import { TABLES } from "./tables.ts";
import { WORK_FUNCTIONS } from "./work-functions.ts";

/** One step of the schema. Once released it is never changed: a later step follows. */
export interface Migration {
  name: string;
  statements: readonly string[];
}

/** Version n is the n-th. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: "everything",
    statements: [
      ...TABLES,
      ...CHECKPOINT_TABLES,
      ...STATISTICS,
      ...FUNCTIONS,
      ...CHECKPOINT_FUNCTIONS,
      ...SEARCH_FUNCTIONS,
      ...WORK_FUNCTIONS,
      ...NEAR_FUNCTIONS,
    ],
  },
];
