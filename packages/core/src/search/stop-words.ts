import { extractTerms } from "./terms.ts";

const set = (words: string): ReadonlySet<string> => new Set(words.split(" ").flatMap(extractTerms));

/** Words of a question that don't say what it is about, by language. */
const STOP_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: set(
    "a an the and or but nor if then else of to in on at by for with from as into about over under between through during " +
      "before after above below up down out off again further once here there when where why how what which who whom whose " +
      "this that these those is am are was were be been being do does did doing done have has had having will would shall " +
      "should can could may might must i me my mine myself we us our ours ourselves you your yours yourself he him his himself " +
      "she her hers herself it its itself they them their theirs themselves not no so than too very just also only own same " +
      "such some any all both each few more most other s t d m ll re ve don didn doesn isn aren wasn weren won wouldn couldn " +
      "shouldn hasn haven hadn ain let get got like because while until please",
  ),
  de: set(
    "der die das den dem des ein eine einen einem einer eines und oder aber von zu zum zur im in am an auf bei mit für aus als " +
      "ist sind war waren bin bist hat habe haben hatte wird werden ich mich mir mein meine meinen meinem meiner wir uns unser " +
      "du dich dir dein deine er sie es ihr ihre ihn ihm sich man nicht kein keine auch nur noch schon so wie was wer wen wem " +
      "wo wann warum welche welcher welches wohin woher ob dass wenn dann denn da hier dort über unter nach vor um bitte",
  ),
  fr: set(
    "le la les un une des du de d l et ou mais à au aux en dans sur sous par pour avec sans est sont suis es était étaient ai " +
      "as a avons avez ont j je me m moi mon ma mes tu te t toi ton ta tes il elle on nous vous ils elles se s son sa ses leur " +
      "leurs notre votre ce c cet cette ces que qu qui quoi dont où quand comment pourquoi quel quelle quels quelles ne n pas " +
      "plus y si est-ce",
  ),
  es: set(
    "el la los las un una unos unas de del al a y o e u pero en con por para sin sobre es son era fue ser soy eres está están " +
      "estoy he has ha hemos han yo me mi mis tú tu tus te él ella ellos ellas nosotros usted ustedes se su sus lo le les nos " +
      "que qué quien quién quiénes cuál cuáles cuando cuándo donde dónde como cómo cuánto cuántos por porque no sí si ya muy más",
  ),
  pt: set(
    "o a os as um uma uns umas de do da dos das ao à aos às e ou mas em no na nos nas com por para sem sobre é são era foi ser " +
      "sou está estão estou tem tenho tinha eu me meu minha meus minhas tu te teu tua você ele ela eles elas nós se seu sua " +
      "seus suas lhe que quem qual quais quando onde como quanto porque não sim já muito mais",
  ),
  it: set(
    "il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla in nel nella con " +
      "su per tra fra e ed o ma è sono era fu essere sei ho hai ha abbiamo hanno io mi mio mia miei mie tu ti tuo tua lui lei " +
      "noi voi loro si suo sua suoi sue che chi cosa quale quali quando dove come quanto perché non sì già più",
  ),
  nl: set(
    "de het een en of maar van te tot in op aan bij met voor uit als is zijn was waren ben bent heb hebt heeft had wordt ik me " +
      "mij mijn we wij ons onze jij je jou jouw u uw hij zij ze hem haar hun er die dat dit deze wat wie waar wanneer waarom hoe " +
      "welke niet geen ook nog al dan om naar over",
  ),
  sv: set(
    "en ett den det de och eller men av till i på vid med för från som är var vara har hade jag mig min mitt mina vi oss du dig " +
      "din ditt han hon ni er sin sitt vad vem var när varför hur vilken vilket vilka inte om att så",
  ),
  pl: set(
    "i w z na do o po od za u a ale lub albo że czy jak jest są był była było być mam masz ma ja mi mnie mój moja moje ty ci " +
      "twój twoja on ona ono my wy oni się to ten ta co kto kogo komu gdzie kiedy dlaczego jaki jaka jakie który która które nie tak",
  ),
  tr: set(
    "ve veya ama ile için bu şu o bir ben beni bana benim sen seni senin biz siz onlar mi mı mu mü ne kim nerede zaman neden nasıl hangi da de",
  ),
  ru: set(
    "и или но а в во на с со по для из от к ко у о об за до при что чтобы как когда где куда откуда почему кто кого кому какой " +
      "какая какие какое чей ли же бы не ни да я меня мне мной мой моя моё мои мы нас нам наш ты тебя тебе твой твоя он она оно " +
      "они его её их ему ей им это этот эта эти был была было были есть",
  ),
  el: set(
    "ο η το οι τα του της των τον την και ή αλλά σε στο στη στην με για από είναι ήταν έχω έχει εγώ μου εσύ σου τι ποιος ποια ποιο πού πότε πώς γιατί δεν να θα",
  ),
  ar: set("في من على الى عن مع هو هي انا انت نحن هم هذا هذه ذلك ما ماذا من متى اين كيف لماذا هل لا و او كان كانت"),
  he: set("של את על אל עם אני אתה את הוא היא אנחנו הם זה זאת מה מי מתי איפה איך למה האם לא כן או גם"),
  hi: set("का की के को में से पर है हैं था थी थे और या मैं मेरा मेरी मेरे तुम आप वह यह क्या कौन कब कहाँ कैसे क्यों नहीं"),
};

/**
 * The terms that say what a question is about: without the small words of the language that most of its words are small words
 * of. All of them where nothing else is left, so that "who are you" can be found too. Pure.
 */
export function withoutStopWords(terms: readonly string[]): string[] {
  let [dropped, most]: [ReadonlySet<string> | null, number] = [null, 0];
  for (const words of Object.values(STOP_WORDS)) {
    const count = terms.filter((term) => words.has(term)).length;
    if (count > most) [dropped, most] = [words, count];
  }
  const kept = dropped === null ? terms : terms.filter((term) => dropped?.has(term) !== true);
  return kept.length > 0 ? [...kept] : [...terms];
}
