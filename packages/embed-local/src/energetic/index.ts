export {
  type EnergeticEmbedderOptions,
  type EnergeticModel,
  type EnergeticModule,
  energeticEmbedder,
} from "./energetic-embedder.ts";
