import type { Distiller, DistillerInput, FactCandidate, MemoryOptions } from "../../src/index.ts";
import { testMemory } from "../support.ts";

/** A distiller that answers from a script: by the words of the newest turn or event it was given. */
export function scripted(
  answers: Readonly<Record<string, readonly unknown[]>> | ((input: DistillerInput) => unknown),
): { distiller: Distiller; inputs: DistillerInput[] } {
  const inputs: DistillerInput[] = [];
  const distiller = (input: DistillerInput): FactCandidate[] => {
    inputs.push(input);
    if (typeof answers === "function") return answers(input) as FactCandidate[];
    const said = JSON.stringify([...input.turns.map(({ messages }) => messages), ...input.events]);
    const found = Object.entries(answers).filter(([words]) => said.includes(words));
    return found
      .flatMap(([, candidates]) => candidates)
      .map((item) => (typeof item === "object" ? { confidence: 0.9, ...item } : item)) as FactCandidate[];
  };
  return { distiller, inputs };
}

/** A memory that draws facts after each reply. */
export const extracting = (distiller: Distiller, options: MemoryOptions = {}) =>
  testMemory({ distiller, policy: { extract: { when: "after-reply" } }, ...options });

/** A memory that draws facts when it is told to. */
export const distilling = (distiller: Distiller, options: MemoryOptions = {}) =>
  testMemory({ distiller, policy: { extract: { when: "scheduled" } }, ...options });
