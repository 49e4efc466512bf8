import type { Contender } from "../turn/contender.ts";

/** A contender that is opened and ended for every turn, its connections too, as a process does that serves one. */
export function openedAnew(name: string, open: () => Promise<Contender>): Contender {
  let opened: Contender | undefined;
  const close = async (): Promise<void> => {
    const last = opened;
    opened = undefined;
    await last?.close();
  };
  return {
    name,
    async read(conversation) {
      opened = await open();
      return opened.read(conversation);
    },
    async write(conversation) {
      await opened?.write(conversation);
      // A server has so many connections and no more: they end with the turn.
      await close();
    },
    close,
  };
}
