/** Characters of a piece: the model's time grows faster than its text. */
const LONGEST = 600;
const MOST = 8;

/** A text in pieces, cut between words where there is one to cut at; none of a blank text. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest !== "" && pieces.length < MOST) {
    if (rest.length <= LONGEST) return [...pieces, rest];
    const space = rest.slice(0, LONGEST).search(/\s\S*$/);
    const isHalved = /[\ud800-\udbff]/.test(rest.charAt(LONGEST - 1));
    const end = space > LONGEST / 2 ? space : isHalved ? LONGEST - 1 : LONGEST;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return pieces;
}
