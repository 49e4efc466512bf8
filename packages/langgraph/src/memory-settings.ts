import type { MemoryError } from "@throughline/core";
import type { Identify } from "./identify.ts";

/** How the memory takes part in the runs of a graph. */
export interface MemorySettings {
  /** Tells which conversation a run is. @default the run's `context`, then `thread_id` and `user_id` */
  identify?: Identify;
  /** Gets what the memory could not read, record or carry over. The run goes on. @default a warning on the console */
  onError?(error: MemoryError): void;
  /** Name of the agent that answers, kept with the turn. */
  agentName?: string;
  /**
   * What the model is shown of the past: `memory` is the memory's window, with what the graph's own state lacks; `state`
   * is the state's messages as they are. The state itself is never changed. @default "memory"
   */
  history?: "memory" | "state";
  /**
   * How stored messages that the graph's state lacks are shown. `portable` suits any provider; `exact` gives reasoning
   * and metadata back to the provider that made them. @default "portable"
   */
  replay?: "portable" | "exact";
}
