/** What one package may import. Workspace packages are named by folder, libraries by npm name; `*` ends a prefix. */
export type Arrows = {
  readonly packages: readonly string[];
  readonly libraries: readonly string[];
  /** Node built-ins in src. Tests may use them everywhere. */
  readonly builtins: boolean;
  /** A folder of src that may use them all the same: a command, which nothing imports. */
  readonly command?: string;
  /** What its tests may import besides, and the testkit. */
  readonly tests?: readonly string[];
};

const adapter = (...libraries: string[]): Arrows => ({
  packages: ["core"],
  libraries: ["zod", ...libraries],
  builtins: false,
});
const store = (...libraries: string[]): Arrows => ({
  packages: ["core"],
  libraries: ["zod", ...libraries],
  builtins: true,
});

/** The arrows of ARCHITECTURE.md, by folder in packages/. The first match counts; a package without a match is an error. */
export const arrows: Readonly<Record<string, Arrows>> = {
  // zod parses what enters; tokenx estimates tokens; tokenlens knows context windows; jsonrepair mends models' JSON; stemmer and @orama/stemmers stem words.
  core: {
    packages: [],
    libraries: ["zod", "tokenx", "tokenlens", "jsonrepair", "stemmer", "@orama/stemmers"],
    builtins: false,
  },
  testkit: { packages: ["core"], libraries: ["zod", "vitest", "fast-check"], builtins: true },
  "store-sqlite": store(),
  "store-postgres": store("pg"),
  "store-*": store(),
  "embed-*": store("@huggingface/transformers", "@energetic-ai/*"),
  "ai-sdk": adapter("ai", "@ai-sdk/provider", "@ai-sdk/provider-utils"),
  // The checkpointer is half its own and half the store's: it is tested on each of them.
  langgraph: { ...adapter("@langchain/*", "langchain"), tests: ["store-sqlite", "store-postgres"] },
  "openai-agents": adapter("@openai/agents", "@openai/agents-core"),
  mastra: adapter("@mastra/core"),
  // What crosses between identities is tested on each store; the command runs on Node.
  mcp: { ...adapter("@modelcontextprotocol/*"), tests: ["store-sqlite", "store-postgres"], command: "src/command/" },
  server: adapter(),
  client: { packages: [], libraries: [], builtins: false },
  viewer: { packages: ["client"], libraries: ["react", "react-dom"], builtins: false },
  cli: { packages: ["server", "viewer", "mcp", "store-*", "embed-local", "core"], libraries: ["zod"], builtins: true },
};

/** Does `name` match one of the patterns? */
export function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

export function arrowsOf(shortName: string): Arrows | undefined {
  const pattern = Object.keys(arrows).find((key) => matches(shortName, [key]));
  return pattern === undefined ? undefined : arrows[pattern];
}

/** Files in src that import a name known only at run time, with the reason. */
export const computedImports: Readonly<Record<string, string>> = {
  "packages/core/src/memory/resolve-store.ts": "AGENT_MEMORY_URL names the store; core depends on none",
  "packages/mcp/src/command/open-store.ts": "the command's --store names the store; no adapter imports one",
};
