import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Listens until the test ends; gives the port. */
export async function serve(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port;
}

/** Sends an answer the way OpenAI-compatible servers stream one. */
export function streamAnswer(write: (text: string) => unknown, deltas: readonly object[], reason: string): void {
  const chunk = (delta: object, finish_reason: string | null) =>
    write(`data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  for (const delta of deltas) chunk(delta, null);
  chunk({}, reason);
  write("data: [DONE]\n\n");
}
