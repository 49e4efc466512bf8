import { extractTerms } from "../search/terms.ts";

/** Words as terms have them, their accents folded; what terms take apart stays whole. */
function foldedSet(words: string): ReadonlySet<string> {
  return new Set(
    words.split(" ").map((word) => {
      const [term, ...more] = extractTerms(word);
      return term === undefined || more.length > 0 ? word : term;
    }),
  );
}

/** Words that carry no meaning by themselves, of the languages that write them apart. */
const FUNCTION_WORDS = foldedSet(
  "a an the and or but of to in on at by for with from as is are was were be been am being do does did has have had " +
    "i me my mine myself we us our you your he she it its they them their this that these those who whom which what " +
    "will would shall should can could may might must so than then there here very just also too really please user " +
    "s t m d ll re ve " +
    "der die das den dem des ein eine einen einem einer und oder aber von zu im in am an auf bei mit für aus als ist " +
    "sind war ich mich mir mein meine meinen meinem wir uns du dich dir dein er sie es ihr sich " +
    "le la les un une des du de et ou mais à au aux en dans sur par pour avec est sont suis ai j je me moi mon ma mes " +
    "nous vous il elle on ce cette que qui " +
    "el los las una unos unas y o pero del al con por para es son soy yo mi mis tu su se lo que " +
    "uno gli i il ed ma di da nel con per sono io mio mia che si " +
    "o os as um uma e mas do da no na em com por eu meu minha é sou que " +
    "de het een en maar van te op aan bij met voor uit als is zijn was ik me mij mijn we ons je jij hij zij het dat die " +
    "и или но в на с по для из от к у я мне меня мой моя мои моё это что он она они мы",
);

/** What says that something is not so. */
const NEGATIONS = foldedSet(
  "not no never none without nor cannot don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven ain " +
    "anymore dislike dislikes hate hates avoid avoids stopped quit former " +
    "nicht kein keine keinen keinem keiner nie niemals ohne nichts " +
    "pas jamais sans ne aucun aucune non ni nunca jamás sin não nunca sem nem mai senza niet geen nooit zonder " +
    "не нет никогда без ни nie bez 不 没 沒 無 无 非 别 ない ません なく 안 못 لا ليس لم لن بدون לא אין בלי नहीं मत ไม่ " +
    "hardly barely neither doubt doubts formerly keinesfalls keinerlei nadie ningún ninguno ninguna nenhum " +
    "nenhuma nessuno nessuna niemand inte aldrig ingen inga utan yok asla hiç nigdy żaden " +
    "ليست لست لسنا מעולם इनकार ikke",
);

/** "I used to smoke", "I gave up meat". */
const GIVEN_UP = /\b(?:used to|gave up|given up|giving up|no longer)\b/i;
/** Korean and Turkish deny by what is written on to the verb. */
const AGGLUTINATED_NEGATION = /değil|않|아니[에예야지다라]|아닙|없[어다습는]|못[해하]|\p{L}m[ıiuü]yor/u;

const APOSTROPHE_T = /n['’]t\b/i;
const UNSPACED_NEGATION = /[不没沒無无]|ない|ません|なく|ไม่/u;

/** Terms of a text that carry meaning, each once: words, and characters and pairs of scripts without spaces. */
export function meaningOf(text: string): string[] {
  return [...new Set(extractTerms(text))].filter((term) => !FUNCTION_WORDS.has(term));
}

/** Whether a text says that something is not so. */
export const isNegated = (text: string): boolean =>
  APOSTROPHE_T.test(text) ||
  GIVEN_UP.test(text) ||
  AGGLUTINATED_NEGATION.test(text.normalize("NFC")) ||
  UNSPACED_NEGATION.test(text) ||
  extractTerms(text).some((term) => NEGATIONS.has(term));

const MIN_STEM = 4;
const MAX_ENDING = 3;
/** Korean writes syllables, and particles on to its nouns: "회원은", "회원이". */
const SYLLABLES = /^\p{Script=Hangul}/u;
const MIN_SYLLABLES = 2;

/** Whether two terms are forms of one word, as far as their beginnings tell: "move" and "moved", "Katze" and "Katzen". */
export function isLikeTerm(a: string, b: string): boolean {
  if (a === b) return true;
  if (/\d/.test(a) || /\d/.test(b)) return false;
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  const least = SYLLABLES.test(a) ? MIN_SYLLABLES : Math.max(MIN_STEM - 1, Math.min(MIN_STEM, a.length, b.length));
  return common >= least && a.length - common <= MAX_ENDING && b.length - common <= MAX_ENDING;
}

/** How many of these terms stand among others, in some form. */
export const sharedTerms = (terms: readonly string[], others: readonly string[]): number =>
  terms.filter((term) => others.some((other) => isLikeTerm(term, other))).length;
