/** Environment variables by name. */
export type Environment = Record<string, string | undefined>;

/** The environment, where the runtime has one. */
export const processEnvironment = (): Environment =>
  // Reached by name: only some runtimes have `process`.
  (globalThis as { process?: { env?: Environment } }).process?.env ?? {};

/** The first value that isn't blank, trimmed. */
export function firstSet(...values: (string | undefined)[]): string | undefined {
  for (const value of values) {
    const trimmed = value?.trim();
    if (trimmed) return trimmed;
  }
  return undefined;
}
