import type { RunStreamEvent, StreamedRunResult } from "@openai/agents";
import type { AnyAgent } from "./run-options.ts";

/**
 * Sees the text of a streamed run as its consumer takes it, whichever of the host's ways it is taken by, and holds the
 * end of the stream back until `ended` has settled.
 */
export function tapStream<Context, TAgent extends AnyAgent>(
  result: StreamedRunResult<Context, TAgent>,
  streamed: (delta: string) => void,
  ended: Promise<void>,
): void {
  const iterate = result[Symbol.asyncIterator].bind(result);
  const toTextStream = result.toTextStream.bind(result);

  const tapped = (): AsyncIterator<RunStreamEvent> => {
    const inner = iterate();
    return {
      async next() {
        try {
          const step = await inner.next();
          if (step.done) await ended;
          else if (step.value.type === "raw_model_stream_event" && step.value.data.type === "output_text_delta") {
            streamed(step.value.data.delta);
          }
          return step;
        } catch (error) {
          await ended.catch(() => {});
          throw error;
        }
      },
      async return(value) {
        return (await inner.return?.(value)) ?? { done: true, value };
      },
    };
  };

  Object.defineProperties(result, {
    [Symbol.asyncIterator]: { value: tapped },
    toStream: { value: () => streamOf(tapped()) },
    toTextStream: {
      value(options?: { compatibleWithNodeStreams?: boolean }) {
        if (options?.compatibleWithNodeStreams !== true) {
          return streamOf(textOf(tapped()));
        }
        // A Node stream passes each piece through `push`, and makes no secret of it.
        const readable = toTextStream({ compatibleWithNodeStreams: true });
        const push = readable.push.bind(readable);
        readable.push = (chunk: unknown, encoding?: BufferEncoding) => {
          if (typeof chunk === "string") streamed(chunk);
          return push(chunk, encoding);
        };
        return readable;
      },
    },
    completed: { get: () => ended },
  });
}

async function* textOf(events: AsyncIterator<RunStreamEvent>): AsyncGenerator<string, void> {
  try {
    for (let step = await events.next(); !step.done; step = await events.next()) {
      const { value } = step;
      if (value.type === "raw_model_stream_event" && value.data.type === "output_text_delta") yield value.data.delta;
    }
  } finally {
    await events.return?.();
  }
}

function streamOf<Value>(values: AsyncIterator<Value>): ReadableStream<Value> {
  return new ReadableStream<Value>(
    {
      async pull(controller) {
        const { done, value } = await values.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await values.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
