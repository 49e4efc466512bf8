import type { Identify } from "../identify.ts";
import type { UnknownValues } from "./codec/encode.ts";

/** Two runs that went on from one checkpoint. */
export interface RunFork {
  /** The thread, which is the conversation's id. */
  threadId: string;
  /** The checkpoint that was put beside the other run's. */
  checkpointId: string;
  /** The checkpoint that both went on from; absent where both began the thread. */
  parentId?: string;
}

/** How to keep checkpoints. */
export interface CheckpointerOptions {
  /**
   * Tells from a run's `configurable` and `context` whose conversation it is. What it leaves out comes from `context`
   * (`subject` or `userId`, `login`), then from `configurable` (`thread_id`, `subject` or `user_id`, `login`).
   */
  identify?: Identify;
  /**
   * Two runs went on from the same checkpoint at once. Given: both are kept, as branches of which the one put last is the
   * newest, and this is called. Absent: the later one fails with `VERSION_CONFLICT`, and nothing of it is kept from there on.
   */
  onFork?: (fork: RunFork) => void;
  /**
   * What becomes of instances of the app's own classes, and of functions: `plain` keeps what JSON would, `refuse` throws
   * `UNSUPPORTED_CONTENT` with the place. @default "plain"
   */
  unknownValues?: UnknownValues;
}
