export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));

/** The parts of a `data:` URL in base64; `null` for another URL. */
export function readDataUrl(url: string): { mediaType: string; data: string } | null {
  const [, mediaType, data] = /^data:([^;,]+);base64,([\sA-Za-z0-9+/=_-]*)$/.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? null : { mediaType, data };
}
