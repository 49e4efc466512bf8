export { type LocalEmbedder, type LocalEmbedderOptions, localEmbedder } from "./local-embedder.ts";
