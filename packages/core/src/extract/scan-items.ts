/** What a scan of broken JSON found. */
export interface ScannedItems {
  /** The source text of each whole object of the list. */
  items: string[];
  /** Objects that begin and don't end. */
  unfinished: number;
}

/**
 * The objects of the first list in a text that isn't JSON as a whole: prose around it, a comma too many, an end that was
 * cut off. Only what begins and ends is an item, so nothing is taken half. Without a list, a lone object is the item. Pure.
 */
export function scanItems(text: string): ScannedItems {
  const list = text.indexOf("[");
  const lone = text.indexOf("{");
  // `{"facts": [` has its list inside; `{"quote": "[sic]" …` alone has none.
  const begin =
    list >= 0 && (lone < 0 || list < lone || /^\{\s*["'\w]+\s*:\s*$/.test(text.slice(lone, list))) ? list + 1 : lone;
  const items: string[] = [];
  if (begin < 0) return { items, unfinished: 0 };
  let depth = 0;
  let start = -1;
  let quote = "";
  for (let index = begin; index < text.length; index++) {
    const character = text[index] as string;
    if (quote !== "") {
      if (character === "\\") index++;
      else if (character === quote) quote = "";
    } else if (character === '"') {
      quote = depth > 0 ? character : "";
    } else if (character === "{" || (character === "[" && depth > 0)) {
      if (depth === 0) start = index;
      depth++;
    } else if (character === "}" || character === "]") {
      if (depth === 0) break;
      depth--;
      if (depth === 0) items.push(text.slice(start, index + 1));
    }
  }
  return { items, unfinished: depth > 0 ? 1 : 0 };
}
