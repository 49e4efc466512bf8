import type { MemoryError, MemoryToolSelection } from "@throughline/core";
import type { Identify } from "./identify.ts";

/** How the memory takes part in an agent's runs. */
export interface MemorySettings {
  /** Tells which conversation a run is. @default the request context, then thread and resource */
  identify?: Identify;
  /** Gets what the memory could not read, record or carry over. The run goes on. @default a warning on the console */
  onError?(error: MemoryError): void;
  /** Name of the agent that answers, kept with the turn. @default the agent's own */
  agentName?: string;
  /** Past messages to recall by the newest user message, at most. @default 0 */
  recall?: number;
  /** Which memory tools the agent gets; `false`: none. @default all */
  tools?: MemoryToolSelection | false;
  /**
   * How stored messages are shown to the model. `portable` suits any provider; `exact` gives reasoning and metadata back
   * to the provider that made them. @default "portable"
   */
  replay?: "portable" | "exact";
}
