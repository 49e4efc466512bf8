/** Two numbers of 32 bits that make a hash this file's or this owner's own. */
export type Secret = readonly [number, number];

/**
 * A number of 47 bits for a text. SQLite keeps it in six bytes; it is never a proof of equality where the text itself
 * can be compared.
 */
export function hashText(text: string, [first, second]: Secret): number {
  let low = 0xdeadbeef ^ first;
  let high = 0x41c6ce57 ^ second;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (high & 0x7fff) * 0x1_0000_0000 + (low >>> 0);
}

/** A secret that nobody can guess. */
export function newSecret(): Secret {
  const [first = 0, second = 0] = crypto.getRandomValues(new Int32Array(2));
  return [first, second];
}
