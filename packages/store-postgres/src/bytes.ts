/** Bytes of a column, as drivers give them: themselves, or as the text `\x00ff`. */
export function toBytes(value: unknown): Uint8Array {
  if (typeof value === "string") return new Uint8Array(Buffer.from(value.slice(2), "hex"));
  // Every driver that doesn't give the text gives bytes.
  return new Uint8Array(value as Uint8Array);
}
