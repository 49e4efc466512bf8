import type { StoryHost } from "@throughline/testkit";
import { aiSdk } from "./ai-sdk.ts";
import { langgraph } from "./langgraph.ts";
import { mastra } from "./mastra.ts";
import { openaiAgents } from "./openai-agents.ts";

/** The frameworks that there are adapters for. */
export const HOSTS: readonly StoryHost[] = [langgraph, aiSdk, openaiAgents, mastra];
