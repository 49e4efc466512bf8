import type { StreamedRunResult } from "@openai/agents";
import type { RunRecord } from "./record-run.ts";
import type { AnyAgent } from "./run-options.ts";
import { tapStream } from "./tap-stream.ts";

/** Records a streamed run as it ends, whoever still listens. */
export function watchStream<Context, TAgent extends AnyAgent>(
  result: StreamedRunResult<Context, TAgent>,
  record: RunRecord,
  unmark: () => void,
): void {
  const end = async (error?: unknown): Promise<void> => {
    unmark();
    const agent = result.currentAgent?.name;
    const broken = error ?? result.error;
    if (broken) await record.broke(broken, result, agent);
    else if (result.cancelled) await record.cancelled(result, agent);
    else await record.finished(result);
    await record.recorder.recorded;
  };
  const ended = result.completed.then(
    () => end(),
    async (error: unknown) => {
      await end(error);
      throw error;
    },
  );
  // Whoever waits for it sees its failure; nobody has to wait.
  ended.catch(() => {});
  tapStream(result, record.streamed, ended);
}
