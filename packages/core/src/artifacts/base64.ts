/** Bytes as base64, padded. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let from = 0; from < bytes.length; from += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  }
  return btoa(binary);
}

/** The bytes of base64 or base64url, spaces allowed; `null` where it is neither. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Length of the base64 of so many bytes. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** All bytes in one run. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
