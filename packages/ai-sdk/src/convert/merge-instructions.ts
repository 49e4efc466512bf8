import type { Instructions, SystemModelMessage } from "ai";

/**
 * The app's own instructions with the memory's block behind them. One plain text stays one, since some models refuse a
 * second system message; several, or one with provider options (a cache mark), get the block as a message of its own.
 */
export function mergeInstructions(own: Instructions | undefined, block: string): Instructions | undefined {
  if (block === "") return own;
  const join = (text: string) => (text === "" ? block : `${text}\n\n${block}`);
  if (own === undefined || typeof own === "string") return own?.includes(block) ? own : join(own ?? "");
  const messages: SystemModelMessage[] = Array.isArray(own) ? own : [own];
  // A `prepareStep` that builds on what it was given has the block already.
  if (messages.some(({ content }) => content.includes(block))) return own;
  const [only] = messages;
  if (only !== undefined && messages.length === 1 && only.providerOptions === undefined) {
    return { ...only, content: join(only.content) };
  }
  return [...messages, { role: "system", content: block }];
}
