import { type Fact, MemoryError, ORIGINS } from "@throughline/core";

// Places in these lists are stored: new members go to the end.
const TYPES: readonly Fact["type"][] = ["fact", "preference", "relationship", "instruction"];
const SCOPES: readonly Fact["scope"][] = ["user", "conversation", "app", "global"];
const AUTHORS: readonly Fact["author"][] = ["agent", "operator", "user", "distiller", "import"];
