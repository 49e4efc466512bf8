import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** A checkpointer that is measured. */
export interface Contender {
  name: string;
  saver: BaseCheckpointSaver;
  /** What it keeps, in bytes, as it stands. */
  bytes(): number | Promise<number>;
  close(): Promise<void>;
}
