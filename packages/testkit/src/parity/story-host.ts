import type { Conversation, Memory } from "@throughline/core";
import type * as z from "zod";

/** A tool as a story has it. Each host makes one of its own of it. */
export interface StoryTool {
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** A person decides about each call before it runs. */
  readonly needsApproval?: boolean;
  /** What it answers. It may throw, as any tool may. */
  run(input: Record<string, unknown>, conversation: Conversation): Promise<string>;
}

/** What a host makes its agent of. */
export interface StoryWorld {
  readonly memory: Memory;
  /** Where the scripted model is, with the path up to `/v1`. It speaks Chat Completions and Responses. */
  readonly baseURL: string;
  /** Which of the two the host's own client is to use. */
  readonly api: "chat" | "responses";
  readonly agentName: string;
  readonly instructions: string;
  /** To be registered beside all of the memory's own tools. */
  readonly tools: readonly StoryTool[];
}

/** What a person does in a conversation. */
export interface StoryInput {
  /** As the app names it: a new handle for each run. */
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
  /** To be called with each piece of the answer's text as it comes. */
  onText(text: string): void;
}

/** An agent of a framework, with the adapter in it. Each call is one streamed run, read to its end. */
export interface StoryAgent {
  /** The person says something. Resolves however the run ends; what a stopped or broken run throws is the host's. */
  say(text: string, input: StoryInput): Promise<void>;
  /** The person decides about the one call that waits in the conversation. */
  decide(approved: boolean, input: StoryInput): Promise<void>;
}

/** A framework, as the parity story and the hand-over drive it. */
export interface StoryHost {
  readonly name: string;
  /** An agent of the host that answers by `world`. */
  open(world: StoryWorld): StoryAgent;
}
