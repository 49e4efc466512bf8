export {
  type FeatureExtractor,
  type FeatureTensor,
  type TransformersEmbedderOptions,
  type TransformersModule,
  transformersEmbedder,
} from "./transformers-embedder.ts";
