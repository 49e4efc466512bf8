import type { ModelMessage, ToolSet } from "ai";

/*
 * What the recorder reads of the AI SDK's events. Narrower than the SDK's own types, so that one hook suits every tool
 * set, runtime context and output.
 */

/** A source that an answer names. */
export interface RunSource {
  sourceType: "url" | "document";
  id: string;
  url?: string;
  title?: string;
  mediaType?: string;
  filename?: string;
}

/** A step that ended. */
export interface RunStep {
  readonly finishReason: string;
  readonly sources: readonly RunSource[];
  readonly response: { readonly messages: readonly ModelMessage[] };
  readonly experimental_steeringMessages?: readonly ModelMessage[];
}

/** A tool that ran. */
export interface RunToolExecution {
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
  readonly toolOutput: { readonly type: string; readonly output?: unknown; readonly error?: unknown };
}

/** The hooks that record a run, as `generateText` and `streamText` take them. */
export interface RunHooks {
  onStart(event: { readonly callId: string; readonly tools?: ToolSet | undefined }): Promise<void>;
  onStepStart(event: { readonly stepNumber: number }): Promise<void>;
  onToolExecutionEnd(event: RunToolExecution): Promise<void>;
  onChunk(event: { readonly chunk: { readonly type: string } }): Promise<void>;
  onStepEnd(event: RunStep): Promise<void>;
  onStepError(event: { readonly error: unknown }): Promise<void>;
  /** `streamText` only. What it returns is the app's own answer: whether to try again. */
  onError(event: { readonly error: unknown }): Promise<{ retry?: boolean } | undefined>;
  /** `streamText` only. */
  onAbort(event: { readonly reason?: unknown }): Promise<void>;
  onEnd(event: {
    readonly finishReason: string;
    readonly responseMessages: readonly ModelMessage[];
    readonly steps: readonly RunStep[];
  }): Promise<void>;
}
