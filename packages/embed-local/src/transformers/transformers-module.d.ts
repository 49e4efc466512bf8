// An optional peer that isn't installed here: its native runtimes are 600 MB. What is used of it is stated, and checked, by
// `TransformersModule`.
declare module "@huggingface/transformers" {
  const everything: Record<string, unknown>;
  export = everything;
}
