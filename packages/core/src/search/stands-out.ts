import type { Floors } from "./calibrate-floor.ts";
import type { NearPlace } from "./semantic.ts";
import { WEIGHTS } from "./weights.ts";

/**
 * How far a cosine stands out among those of the nearest messages, by cosine: 0 for what is as near as the ones behind the
 * nearest are on average, 1 for what answers a long history's question though its words were not said, and on. All count above
 * what answers something else (`far`), which is how a model's scale begins; where fewer are near, the rest counts as just at
 * the floor. Pure.
 */
export function standingOut(near: readonly NearPlace[], { floor, far }: Floors): (cosine: number) => number {
  const { behind, times } = WEIGHTS.alone;
  let sum = 0;
  for (let at = 1; at <= behind; at++) sum += near[at]?.score ?? floor;
  const ordinary = sum / behind - far;
  return (cosine) => (ordinary > 0 ? Math.max(0, (cosine - far) / ordinary - 1) / (times - 1) : 0);
}

/**
 * What a message's meaning counts besides where little of the question was said: `words` and `meaning` are what either has of
 * what it needs to answer. The words that are there say little then, and may be of any message.
 */
export function besideFewWords(words: number, meaning: number): number {
  const { below, most } = WEIGHTS.fewWords;
  const isFew = Math.min(1, Math.max(0, (below - words) / (below - 1)));
  return isFew === 0 ? 0 : most * isFew * (meaning / Math.max(1, words)) ** 2;
}
