/** Tells the developer what the memory had to do without. The one place that prints; never prints what was said. */
export function warn(message: string, cause?: unknown): void {
  const line = `throughline: ${message}`;
  // biome-ignore lint/suspicious/noConsole: a degraded memory must be seen, and core has no logger but this
  if (cause === undefined) console.warn(line);
  // biome-ignore lint/suspicious/noConsole: as above
  else console.warn(line, cause);
}
