/** A text without accents, as terms are. */
const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC");
const plainly = ({ source, flags }: RegExp): RegExp => new RegExp(plain(source), flags);

/** What says that something isn't as it was, in the languages that write words apart. */
const CHANGE = plainly(
  /(?<![\p{L}])(?:now|nowadays|currently|recent(?:ly)?|latest|instead|no longer|anymore|chang\p{L}*|updat\p{L}*|mov(?:ed|ing)|reschedul\p{L}*|rebooked|postpon\p{L}*|put off|shift(?:ed|ing)?|exten(?:d|ded|ding|sion)|shorten\p{L}*|rais(?:ed|ing)|risen|gone (?:up|down)|(?:came|come) down|crept up|increas\p{L}*|decreas\p{L}*|reduc\p{L}*|dropped|lower(?:ed|ing)?|adjust\p{L}*|revis(?:ed|ing)|improv(?:ed|ing)|grown?|reached|switch(?:ed|ing)|replaced|took over|turn(?:s|ed) out|jetzt|nun|inzwischen|mittlerweile|geändert|verschoben|erhöht|gesenkt|gesunken|gestiegen|gewachsen|gekürzt|statt(?:dessen)?|désormais|maintenant|dorénavant|changé\p{L}*|déplacé\p{L}*|repoussé\p{L}*|augmenté\p{L}*|réduit\p{L}*|ahora|cambi\p{L}*|aument\p{L}*|aplaz\p{L}*|reduj\p{L}*|reducid\p{L}*|agora|mud(?:ou|ado|ada)|adi(?:ou|ad\p{L}*)|adesso|spostat\p{L}*|rimandat\p{L}*|nu|intussen|voortaan|gewijzigd|verplaatst|verhoogd|gestegen|numera|höjts|sänkts|flyttats|teraz|obecnie|przenies\p{L}*|şimdi|artık|теперь|сейчас|изменил\p{L}*|перенес\p{L}*)(?![\p{L}])/giu,
);

/** What says it however often it was said before: "is now 800", "is now 850". */
const NOW = plainly(
  /^(?:now|nowadays|currently|jetzt|nun|inzwischen|mittlerweile|désormais|maintenant|dorénavant|ahora|agora|adesso|nu|intussen|voortaan|numera|teraz|obecnie|şimdi|artık|теперь|сейчас)$/iu,
);

/** Of a thing it may say that there is another one beside it ("a new bike"), or be a name ("New York"). */
const NEW = /^(?:new|neu\p{L}*|nouve\p{L}*|nuev\p{L}*|nov[oa]s?|nuov\p{L}*|nieuw\p{L}*|нов\p{L}*)$/iu;

/**
 * What asks how something was before it changed. A word that also says what comes after it is left out ("the first sprint",
 * "before the meeting"), but where a question ends with it.
 */
const EARLIER = plainly(
  /(?<![\p{L}])(?:originally|initially|previous(?:ly)?|formerly|at first|at the start|(?:in|at|from) the beginning|to begin with|used to|back then|before(?=[\s?.!]*$)|ursprünglich\p{L}*|anfangs|anfänglich\p{L}*|zuerst|zunächst|vorher|früher|damals|bisherig\p{L}*|initialement|à l['’]origine|au (?:début|départ)|auparavant|avant(?=[\s?.!]*$)|originalmente|inicialmente|al principio|antes(?!\s+d[aeo])|anteriormente|no (?:início|começo)|originariamente|inizialmente|all['’]inizio|in precedenza|oorspronkelijk|aanvankelijk|voorheen|vroeger|ursprungligen|tidigare|pierwotnie|początkowo|wcześniej|başlangıçta|önceden|eskiden|раньше|сначала|изначально|первоначально)(?![\p{L}])|最初|原来|原來|原本|以前|之前|もともと|처음|원래|예전/iu,
);

/** The words of a text that say that something isn't as it was. */
const changesIn = (text: string): string[] => (plain(text).match(CHANGE) ?? []).map((word) => word.toLowerCase());

/** Whether a word says that something isn't as it was, or that something is new. */
export const isChangeWord = (word: string): boolean => changesIn(word).length > 0 || NEW.test(word);

/** Whether a question asks how something was before it changed. Pure. */
export const asksEarlier = (question: string): boolean =>
  EARLIER.test(plain(question)) && !changesIn(question).some((word) => NOW.test(word));

/**
 * Whether a statement says that something isn't as it was, and the known one doesn't say just that. Without it two like
 * ones are two events ("ran 5 km", "ran 8 km"). Pure.
 */
export function saysChange(later: { text: string }, known?: { text: string }): boolean {
  const before = new Set(known === undefined ? [] : changesIn(known.text));
  return changesIn(later.text).some((word) => NOW.test(word) || !before.has(word));
}
