/** The same response; `ended` is called once, when its body was read to the end, was let go, or the client went. */
export function watchBody(response: Response, signal: AbortSignal, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", gone);
    ended();
  };
  const reader = response.body.getReader();
  // A stream that waits for its next message doesn't notice that nobody reads it any more.
  const gone = () => {
    over();
    reader.cancel().catch(() => {});
  };
  if (signal.aborted) gone();
  else signal.addEventListener("abort", gone, { once: true });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        over();
        controller.close();
      } catch (error) {
        over();
        controller.error(error);
      }
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
