/** Edits that make one text of another: a letter put in, left out or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** ` (did you mean "…"?)` where a known name is near the unknown one; the empty string otherwise. */
export function didYouMean(unknown: string, known: readonly string[]): string {
  const word = unknown.toLowerCase();
  // One edit in four letters, two at least: what is further off is another word.
  const most = Math.max(2, Math.floor(word.length / 4));
  if (word.length > 64) return "";
  const near = known
    .map((name) => ({ name, edits: distance(word, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= most && edits < name.length)
    .sort((a, b) => a.edits - b.edits)[0];
  return near === undefined ? "" : ` (did you mean "${near.name}"?)`;
}
