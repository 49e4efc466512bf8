/** How the common image formats begin, in base64. */
const IMAGE_STARTS = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
] as const;

/** For adapters: the media type of an image in base64, as its first bytes tell; `undefined` where they don't. */
export const imageType = (base64: string): string | undefined =>
  IMAGE_STARTS.find(([start]) => base64.startsWith(start))?.[1];
