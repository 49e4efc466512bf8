import type { Fail } from "./read-answer.ts";

/** What a model is asked. */
export interface Prompt {
  instructions: string;
  text: string;
  /** Tokens after which the provider cuts the answer off. */
  maxOutputTokens: number;
  signal: AbortSignal | undefined;
}

/** What a model answered. */
export interface ModelText {
  text: string;
  /** The provider cut it off. */
  isTruncated: boolean;
  fail: Fail;
}

/** Asks a model once, with the retries that its connection has. */
export type AskModel = (prompt: Prompt) => Promise<ModelText>;

/** Default of `maxInputTokens`. */
export const DEFAULT_INPUT_TOKENS = 32_000;
