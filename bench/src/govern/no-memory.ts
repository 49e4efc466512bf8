import type { GovernedMemory } from "@throughline/testkit";

/** Remembers nothing. */
export const noMemory = async (): Promise<GovernedMemory> => ({
  turn: async () => undefined,
  known: async () => [],
  prompt: async () => "",
  forget: async () => null,
  erase: async () => null,
  history: async () => null,
  why: async () => null,
  undo: async () => null,
  export: async () => null,
  close: async () => undefined,
});
