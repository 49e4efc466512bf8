import { checkNumbers, isNumber, type NumberKind, wantedNumber } from "../checks/numbers.ts";
import type { MemoryOptions } from "../contract/memory.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { checkStoreUrl } from "./resolve-store.ts";

/** What each option has to be. */
const OPTIONS: Record<keyof MemoryOptions, "text" | "store" | "policy" | "function" | "embedder" | "any"> = {
  agent: "any",
  tenant: "any",
  store: "store",
  policy: "policy",
  summarizer: "function",
  distiller: "function",
  shouldExtract: "function",
  timeZone: "text",
  embedder: "embedder",
  semanticFloor: "any",
  keywordFloor: "any",
  retrievers: "any",
  sinks: "any",
  tokenizer: "function",
  contextWindow: "any",
  waitUntil: "function",
  onEvent: "function",
  tracer: "any",
  traceIds: "any",
  forgetKey: "text",
  readTimeoutMs: "any",
  writeTimeoutMs: "any",
  strict: "any",
  clock: "function",
  createId: "function",
  env: "any",
};

const NUMBERS: Readonly<Record<string, NumberKind>> = {
  semanticFloor: "cosine",
  keywordFloor: "share",
  readTimeoutMs: "milliseconds",
  writeTimeoutMs: "milliseconds",
};

const refuse = (option: string, why: string): never => {
  throw new MemoryError("INVALID_ARGUMENT", `createMemory: ${option} ${why}.`, { details: { option } });
};

function checkStore(store: unknown): void {
  if (typeof store === "string") {
    refuse("store", "is a text; give a store such as sqliteStore({ path }), or set AGENT_MEMORY_URL to the URL");
  }
  if (typeof store === "function") {
    const name = store.name === "" ? "it" : `${store.name}()`;
    refuse("store", `is a function; call it: store: ${name}`);
  }
  if (typeof (store as { then?: unknown } | null)?.then === "function") {
    refuse("store", "is a promise; await it first");
  }
  if (typeof store !== "object" || store === null || !("contractVersion" in store)) {
    refuse("store", "is no store; give what inMemoryStore() or a store package makes");
  }
}

function checkEmbedder(embedder: unknown): void {
  const { modelId, dimensions, embed } = (embedder ?? {}) as Record<string, unknown>;
  if (typeof modelId !== "string" || !Number.isInteger(dimensions) || typeof embed !== "function") {
    refuse("embedder", "must be { modelId, dimensions, embed }, as openaiEmbedder() makes it");
  }
  if (modelId === "" || Number(dimensions) < 1) refuse("embedder", "must have a modelId, and dimensions from 1");
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}

function checkFunctions(option: string, list: unknown): void {
  if (!Array.isArray(list) || list.some((member) => typeof member !== "function")) {
    refuse(option, "must be an array of functions");
  }
}

/**
 * Checks what `createMemory` is given, so that a mistake is told where it was made. Throws `INVALID_ARGUMENT`, also for an
 * option that doesn't exist, and `STORE_NOT_AVAILABLE` for a URL that no store answers for.
 */
export function checkOptions(options: MemoryOptions, url: string | undefined): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "createMemory takes an object of options: createMemory({ agent, store }).",
    );
  }
  const known = Object.keys(OPTIONS);
  for (const [option, value] of Object.entries(options) as [string, unknown][]) {
    if (value === undefined) continue;
    if (!Object.hasOwn(OPTIONS, option)) {
      throw new MemoryError(
        "INVALID_ARGUMENT",
        `createMemory has no option "${option}"${didYouMean(option, known)}; there are ${known.join(", ")}.`,
        { details: { option } },
      );
    }
    switch (OPTIONS[option as keyof MemoryOptions]) {
      case "store":
        checkStore(value);
        break;
      case "embedder":
        checkEmbedder(value);
        break;
      case "function":
        if (typeof value !== "function") refuse(option, "must be a function");
        break;
      case "text":
        if (typeof value !== "string") refuse(option, "must be a text");
        break;
    }
  }
  checkNumbers("createMemory", options, NUMBERS);
  for (const option of ["retrievers", "sinks"] as const) {
    if (options[option] !== undefined) checkFunctions(option, options[option]);
  }
  if (options.timeZone !== undefined && !isZone(options.timeZone)) {
    refuse("timeZone", 'must be the IANA name of a time zone, such as "Europe/Lisbon"');
  }
  const { contextWindow, env } = options;
  if (contextWindow !== undefined && typeof contextWindow !== "function" && !isNumber("tokens", contextWindow)) {
    refuse("contextWindow", `must be ${wantedNumber("tokens")}, or a function of the model's id`);
  }
  if (env !== undefined && (typeof env !== "object" || env === null)) refuse("env", "must be an object of texts");
  if (options.store === undefined && url !== undefined && url !== "") checkStoreUrl(url);
}
