// For whoever asks a model for facts themselves: what to ask, and how to read the answer.
export { type DistillerPrompt, distillerPrompt } from "./distiller-prompt.ts";
export { type ReadCandidates, readCandidates } from "./read-candidates.ts";
