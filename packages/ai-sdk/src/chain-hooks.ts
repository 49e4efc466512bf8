import type { RunHooks } from "./run-events.ts";
import type { RunOptions } from "./run-options.ts";

/** The recorder's hooks, each followed by the app's own under its new or its old name. */
export function chainHooks(hooks: RunHooks, app: RunOptions): RunHooks {
  return {
    onStart: chain(hooks.onStart, app.onStart ?? app.experimental_onStart),
    onStepStart: chain(hooks.onStepStart, app.onStepStart ?? app.experimental_onStepStart),
    onToolExecutionEnd: chain(hooks.onToolExecutionEnd, app.onToolExecutionEnd ?? app.experimental_onToolCallFinish),
    onChunk: chain(hooks.onChunk, app.onChunk),
    onStepEnd: chain(hooks.onStepEnd, app.onStepEnd ?? app.onStepFinish),
    onStepError: chain(hooks.onStepError, app.onStepError),
    onAbort: chain(hooks.onAbort, app.onAbort),
    onEnd: chain(hooks.onEnd, app.onEnd ?? app.onFinish),
    async onError(event) {
      await hooks.onError(event);
      // What the app's handler may return is the SDK's to say; a void one gives `undefined`.
      if (app.onError) return (await app.onError(event)) as { retry?: boolean } | undefined;
      // As `streamText` does where it is given no `onError`.
      // biome-ignore lint/suspicious/noConsole: as above
      console.error(event.error);
      return undefined;
    },
  };
}

/** First the recorder, so that the turn is written by the time the app's callback runs. */
function chain<Event, AppEvent>(
  ours: (event: Event) => Promise<void>,
  theirs: ((event: AppEvent) => void | PromiseLike<void>) | undefined,
): (event: Event) => Promise<void> {
  if (theirs === undefined) return ours;
  return async (event) => {
    await ours(event);
    // The SDK's own event; the recorder's type of it is narrower.
    await theirs(event as unknown as AppEvent);
  };
}
