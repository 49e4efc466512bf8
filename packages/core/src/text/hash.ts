/**
 * A 64-bit hash of a text as 13 base-36 digits, for ids that must come out the same for the same content.
 * Two interleaved 32-bit multiply-xorshift lanes (the cyrb family); not for secrets.
 */
export function contentHash(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const digits = (lane: number) => (lane >>> 0).toString(36).padStart(7, "0");
  return digits(high) + digits(low);
}
