/** Words of a question that don't say what it is about, by language: as terms have them, without accents. */
const STOP_WORDS: readonly (readonly [language: string, words: string])[] = [
  [
    "en",
    "a an the and or but nor if then else of to in on at by for with from as into about over under between through " +
      "during before after above below up down out off again further once here there when where why how what which who " +
      "whom whose this that these those is am are was were be been being do does did doing done have has had having " +
      "will would shall should can could may might must i me my mine myself we us our ours ourselves you your yours " +
      "yourself he him his himself she her hers herself it its itself they them their theirs themselves not no so than " +
      "too very just also only own same such some any all both each few more most other s t d m ll re ve don didn doesn " +
      "isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain let get got like because while until please",
  ],
  [
    "de",
    "der die das den dem des ein eine einen einem einer eines und oder aber von zu zum zur im in am an auf bei mit " +
      "fur aus als ist sind war waren bin bist hat habe haben hatte wird werden ich mich mir mein meine meinen meinem " +
      "meiner wir uns unser du dich dir dein deine er sie es ihr ihre ihn ihm sich man nicht kein keine auch nur noch " +
      "schon so wie was wer wen wem wo wann warum welche welcher welches wohin woher ob dass wenn dann denn da hier " +
      "dort uber unter nach vor um bitte beim vom ins ans",
  ],
  [
    "fr",
    "le la les un une des du de d l et ou mais a au aux en dans sur sous par pour avec sans est sont suis es etait " +
      "etaient ai as avons avez ont j je me m moi mon ma mes tu te t toi ton ta tes il elle on nous vous ils elles se s " +
      "son sa ses leur leurs notre votre ce c cet cette ces que qu qui quoi dont quand comment pourquoi quel quelle " +
      "quels quelles ne n pas plus y si",
  ],
  [
    "es",
    "el la los las un una unos unas de del al a y o e u pero en con por para sin sobre es son era fue ser soy eres " +
      "esta estan estoy he has ha hemos han yo me mi mis tu tus te ella ellos ellas nosotros usted ustedes se su sus lo " +
      "le les nos que quien quienes cual cuales cuando donde como cuanto cuantos porque no si ya muy mas",
  ],
  [
    "pt",
    "o a os as um uma uns umas de do da dos das ao aos e ou mas em no na nos nas com por para sem sobre sao era foi " +
      "ser sou esta estao estou tem tenho tinha eu me meu minha meus minhas tu te teu tua voce ele ela eles elas se seu " +
      "sua seus suas lhe que quem qual quais quando onde como quanto porque nao sim ja muito mais",
  ],
  [
    "it",
    "il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla in nel " +
      "nella con su per tra fra e ed o ma sono era fu essere sei ho hai ha abbiamo hanno io mi mio mia miei mie tu ti " +
      "tuo tua lui lei noi voi loro si suo sua suoi sue che chi cosa quale quali quando dove come quanto perche non gia " +
      "piu",
  ],
  [
    "nl",
    "de het een en of maar van te tot in op aan bij met voor uit als is zijn was waren ben bent heb hebt heeft had " +
      "wordt ik me mij mijn we wij ons onze jij je jou jouw u uw hij zij ze hem haar hun er die dat dit deze wat wie " +
      "waar wanneer waarom hoe welke niet geen ook nog al dan om naar over",
  ],
  [
    "sv",
    "en ett den det de och eller men av till i pa vid med for fran som ar var vara har hade jag mig min mitt mina vi " +
      "oss du dig din ditt han hon ni er sin sitt vad vem nar varfor hur vilken vilket vilka inte om att sa",
  ],
  [
    "pl",
    "i w z na do o po od za u a ale lub albo ze czy jak jest sa był była było byc mam masz ma ja mi mnie moj moja " +
      "moje ty ci twoj twoja on ona ono my wy oni sie to ten ta co kto kogo komu gdzie kiedy dlaczego jaki jaka jakie " +
      "ktory ktora ktore nie tak",
  ],
  [
    "tr",
    "ve veya ama ile icin bu su o bir ben beni bana benim sen seni senin biz siz onlar mi mı mu ne kim nerede zaman " +
      "neden nasıl hangi da de",
  ],
  [
    "ru",
    "и или но а в во на с со по для из от к ко у о об за до при что чтобы как когда где куда откуда почему кто кого " +
      "кому какои какая какие какое чеи ли же бы не ни да я меня мне мнои мои моя мое мы нас нам наш ты тебя тебе твои " +
      "твоя он она оно они его ее их ему еи им это этот эта эти был была было были есть",
  ],
  [
    "el",
    "ο η το οι τα του τησ των τον την και αλλα σε στο στη στην με για απο ειναι ηταν εχω εχει εγω μου εσυ σου τι " +
      "ποιοσ ποια ποιο που ποτε πωσ γιατι δεν να θα",
  ],
  ["ar", "في من على الى عن مع هو هي انا انت نحن هم هذا هذه ذلك ما ماذا متى اين كيف لماذا هل لا و او كان كانت"],
  ["he", "של את על אל עם אני אתה הוא היא אנחנו הם זה זאת מה מי מתי איפה איך למה האם לא כן או גם"],
  ["hi", "का की के को में से पर है हैं था थी थे और या मैं मेरा मेरी मेरे तुम आप वह यह क्या कौन कब कहाँ कैसे क्यों नहीं"],
];

/** Chinese writes no spaces: pairs that hold one of these cut across words, or say little. */
const CHINESE_SMALL = new Set("的了吗呢吧啊我你您他她它们是在和与跟这那哪些什么怎");
/** And these say little by themselves or next to each other. */
const CHINESE_WEAK = new Set("有就都而着过或给对也很会能要说还又被把从为到去来让几个一不没曾经时候想吗叫谁何为多少");
/** Particles and endings of Japanese, which are written in Hiragana as few names of things are. */
const JAPANESE_SMALL = new Set(
  (
    "は が を に で と も の か へ や です ます した して いる ある から まで した のは には では とは " +
    "すか まし ませ せん"
  ).split(" "),
);
/** A particle with half of the word before or behind it. */
const JAPANESE_JOINT =
  /^(?:[\p{Script=Han}\p{Script=Katakana}][はがをにでとのへも]|[はがをにでとのへも][\p{Script=Han}\p{Script=Katakana}])$/u;
const UNSPACED_TERM = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}$/u;

/** Of scripts that write sounds a character alone is no word, other than in Chinese. */
const ONE_SOUND =
  /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]\p{M}*$/u;

/** Thai is the first of the scripts without spaces: of most terms one look tells that they are of none. */
const FIRST_UNSPACED = 0x0e00;

function isSmallUnspaced(term: string): boolean {
  if (term.charCodeAt(0) < FIRST_UNSPACED) return false;
  if (ONE_SOUND.test(term)) return true;
  if (!UNSPACED_TERM.test(term)) return false;
  const characters = [...term];
  return (
    JAPANESE_SMALL.has(term) ||
    JAPANESE_JOINT.test(term) ||
    characters.some((character) => CHINESE_SMALL.has(character)) ||
    characters.every((character) => CHINESE_WEAK.has(character))
  );
}

/** Which languages a word is a small word of, as bits. */
const LANGUAGES_OF: ReadonlyMap<string, number> = STOP_WORDS.reduce((known, [, words], index) => {
  for (const word of words.split(" ")) known.set(word, (known.get(word) ?? 0) | (1 << index));
  return known;
}, new Map<string, number>());

/** How many of the terms are small words of each language. */
function countByLanguage(terms: readonly string[]): number[] {
  const counts = STOP_WORDS.map(() => 0);
  for (const term of terms) {
    for (let bits = LANGUAGES_OF.get(term) ?? 0, index = 0; bits > 0; bits >>= 1, index++) {
      if (bits & 1) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return counts;
}

/** The bit of the language that most of the terms are small words of; 0 where none is. */
function languageOf(terms: readonly string[]): number {
  const counts = countByLanguage(terms);
  const most = Math.max(...counts);
  return most === 0 ? 0 : 1 << counts.indexOf(most);
}

/** The languages that most of the terms are small words of: several where as many are of each; none where none is. Pure. */
export function languagesOfTerms(terms: readonly string[]): string[] {
  const counts = countByLanguage(terms);
  const most = Math.max(...counts);
  return most === 0 ? [] : STOP_WORDS.flatMap(([language], index) => (counts[index] === most ? [language] : []));
}

const BIT_OF: ReadonlyMap<string, number> = new Map(STOP_WORDS.map(([language], index) => [language, 1 << index]));

/** Whether a term is a small word of a language. Pure. */
export const isSmallWord = (term: string, language: string): boolean =>
  ((LANGUAGES_OF.get(term) ?? 0) & (BIT_OF.get(language) ?? 0)) !== 0;

/** Whether nothing says what a text is about: each of its terms is a small word of one language. Pure. */
export function areSmallWords(terms: readonly string[]): boolean {
  const language = languageOf(terms);
  return terms.every((term) => ((LANGUAGES_OF.get(term) ?? 0) & language) !== 0 || isSmallUnspaced(term));
}

/**
 * The terms that say what a text is about: without the small words of the language that most of its small words are of. All
 * of them where nothing else is left, so that "who are you" can be found too. Pure.
 */
export function withoutStopWords(terms: readonly string[]): readonly string[] {
  const language = languageOf(terms);
  const kept = terms.filter((term) => ((LANGUAGES_OF.get(term) ?? 0) & language) === 0 && !isSmallUnspaced(term));
  return kept.length > 0 ? kept : terms;
}
