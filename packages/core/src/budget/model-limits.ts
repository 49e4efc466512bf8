import { isNumber, wantedNumber } from "../checks/numbers.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { findModel, type KnownModel } from "./model-registry.ts";

/**
 * The window taken for a model that nobody knows, and where no model is named. Seven of eight models in the registry
 * that can call tools hold at least this much, and the default history of 8000 tokens fits well into it; larger, and a
 * small model would refuse the prompt; smaller, and runs would be stopped that have room.
 */
export const DEFAULT_WINDOW = 32_768;

/** The part of a window that is kept for the answer at most. */
export const RESERVE_SHARE = 0.25;

/** What a model takes, in tokens. */
export interface ModelLimits {
  /** Prompt and answer together. */
  window: number;
  /** Kept for the answer: the model's longest answer where the registry knows it, at most a quarter of the window. */
  reserve: number;
  /** What the prompt may hold: `window` less `reserve`. */
  budget: number;
  /** Who said so: the app's `contextWindow`, the registry, or nobody. */
  source: "option" | "registry" | "default";
  /** The registry's entry: the model itself, the one its id is a variant of, or its family (`"claude*"`). */
  entry?: string;
}

/** Where a window comes from before the registry is asked. */
export interface ModelLimitsOptions {
  /** In tokens, for all models or by model id; `undefined` from the function asks the registry. */
  contextWindow?: number | ((model: string) => number | undefined) | undefined;
}

function limitsOf(window: number, source: ModelLimits["source"], known: Partial<KnownModel> = {}): ModelLimits {
  const most = Math.floor(window * RESERVE_SHARE);
  const reserve = Math.min(known.output ?? most, most);
  return {
    window,
    reserve,
    budget: window - reserve,
    source,
    ...(known.entry === undefined ? {} : { entry: known.entry }),
  };
}

function checkWindow(window: number): number {
  if (isNumber("tokens", window)) return Math.floor(window);
  throw new MemoryError("INVALID_ARGUMENT", `contextWindow must be ${wantedNumber("tokens")}.`, {
    details: { option: "contextWindow" },
  });
}

/**
 * Answers what a model takes. Rejects only for a `contextWindow` that throws or is no number of tokens. Answers are kept,
 * so that a model is looked up once. Without a model id nothing is loaded.
 */
export function createModelLimits(options: ModelLimitsOptions = {}): (model?: string) => Promise<ModelLimits> {
  const { contextWindow } = options;
  if (typeof contextWindow === "number") checkWindow(contextWindow);
  const kept = new Map<string, Promise<ModelLimits>>();

  const look = async (model: string | undefined): Promise<ModelLimits> => {
    if (typeof contextWindow === "number") return limitsOf(checkWindow(contextWindow), "option");
    if (model === undefined || model.trim() === "") return limitsOf(DEFAULT_WINDOW, "default");
    const given = contextWindow?.(model);
    if (given !== undefined) return limitsOf(checkWindow(given), "option");
    // A bundle that left the registry out has the default; that is no reason to fail a reply.
    const known = await findModel(model, DEFAULT_WINDOW).catch(() => null);
    return known ? limitsOf(known.window, "registry", known) : limitsOf(DEFAULT_WINDOW, "default");
  };

  return (model) => {
    const key = model ?? "";
    let limits = kept.get(key);
    if (limits === undefined) {
      limits = look(model);
      // A host that invents model ids must not fill the memory of the process.
      if (kept.size < 256) kept.set(key, limits);
    }
    return limits;
  };
}
