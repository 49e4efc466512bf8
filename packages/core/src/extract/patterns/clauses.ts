/** Code, and lines that quote somebody: nothing that the person says of themselves. */
const QUOTED = /```[\s\S]*?(?:```|(?![\s\S]))|`[^`\n]*`|^[^\S\n\r\u2028\u2029]*>.*$/gmu;

const SENTENCE_END = /(?<=[.!?;…。！？；؟।])\s*|\n+/u;

/** A question, or something only supposed, wished for or told of others. */
const NOT_STATED = [
  /[?？؟]/u,
  /\b(?:if|unless|would|could|should|might|maybe|perhaps|suppose|imagine|pretend|hypothetically|let's say|what if|example|said|says|told|asked|wrote|translate|character|story|novel)\b/iu,
  /\b(?:wenn|falls|würde|könnte|vielleicht|angenommen|stell dir vor|sagte|sagt|meinte|schrieb|übersetze|Beispiel)\b/iu,
  /(?<![\p{L}])(?:si j'|si je|si tu|serait|pourrait|peut-être|imagine|imaginons|a dit|m'a dit|exemple|traduis)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:si yo|si fuera|sería|podría|quizás?|tal vez|imagina|dijo|dice que|ejemplo|traduce)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:se eu|seria|poderia|talvez|imagine|disse|exemplo|forse|sarebbe|potrebbe|immagina|ha detto|esempio|misschien|stel dat|zei|voorbeeld)(?![\p{L}])/iu,
  /(?<![\p{L}])(?:если|бы|может быть|представь|сказал|сказала|gdyby|może|powiedział|powiedziała)(?![\p{L}])/iu,
  /如果|要是|假如|假设|假設|也许|也許|可能|比如|他说|她说|他說|她說|もし|なら|かも|例えば|と言っ|만약|만일|아마|라고 했|ถ้า|สมมติ/u,
  /(?<![\p{L}])(?:لو|إذا|ربما|قال|قالت|אם|אולי|אמר|אמרה|अगर|शायद|कहा)(?![\p{L}])/u,
];

/** Somebody else speaks through the whole message, or nothing in it is meant: a text to work on, a role, a joke. */
const NOT_MEANT = [
  /^\s*(?:(?:please|can you|could you|now|then|help me|bitte|s'il te plaît|por favor|per favore)[, ]+)*(?:translate|rewrite|rephrase|paraphrase|proofread|correct|fix|summari[sz]e|complete|continue|draft|write|reply to|dear|übersetze?|korrigiere?|schreib|traduis|traduisez|corrige|corrigez|écris|traduce|traduzca|escribe|traduz|traduza|escreve|traduci|correggi|scrivi|vertaal|schrijf|przetłumacz|napisz|переведи|напиши|исправь)(?![\p{L}])/iu,
  /翻译|翻譯|改写|改寫|翻訳|訳して|번역/u,
  /(?<![\p{L}])(?:role-?play\p{L}*|rollenspiel|pretend|act as|you are an?|du bist (?:ein|eine)|tu es une?|eres un[ao]?)(?![\p{L}])/iu,
  /(?<![\p{L}/])(?:(?:just )?(?:kidding|joking)|j\/?k|lol|ha(?:ha)+|yeah,? right|oh,? great|as if|sarcas\p{L}*|scherz|nur spaß|je (?:plaisante|rigole)|es broma|(?:é )?brincadeira|scherzo|grapje|żartuję|шучу)(?![\p{L}])|(?:^|\s)\/s(?:$|\s)|开玩笑|開玩笑|冗談|농담|[😂🤣🙃😏😜🤪]/iu,
];

/** Where a clause ends and the next one speaks of the person again. */
const NEXT_CLAUSE =
  /(?:,|(?<![\s,]))\s+(?:and|but|und|aber|et|mais|y|pero|e|ma|en|maar|i|и|но)\s+(?=(?:I\b|I'|my\b|call me\b|ich\b|meine?\b|je\b|j'|mon\b|ma\b|yo\b|mi\b|me\b|prefiero\b|eu\b|meu\b|minha\b|io\b|ik\b|mijn\b|я\s|мо[йяю]))|(?<!^\s*(?:hi|hello|hey|hallo|bonjour|salut|hola|ciao|hoi|oi|olá)),\s*(?=(?:I\b|I'|my\b|call me\b|ich\b|meine?\b|je\b|j'))|[，、](?=(?:我|私|僕))/iu;

const BEGINNING = /^[\s"'“”„«»‹›「」『』（）()*_–—-]+/u;
/** What a clause may end with that is not of it, character by character: an expression up to the end looks at a run of them over and over. */
const OF_AN_END = /^[\s"'“”„«»‹›「」『』（）()*_.,;:!…。！；，、।–—-]$/u;

/** Words in quotation marks, longer than a name. */
const SPOKEN_QUOTE = /^\s*["“„«「『]/u;

/** The sentences of a text in which something may be stated, as they stand in it. Pure. */
export const meantSentences = (text: string): string[] =>
  NOT_MEANT.some((pattern) => pattern.test(text)) ? [] : text.replace(QUOTED, "\n").split(SENTENCE_END);

/** The clauses of a sentence that state something. Pure. */
export function statedClauses(sentence: string): string[] {
  if (SPOKEN_QUOTE.test(sentence) || NOT_STATED.some((pattern) => pattern.test(sentence))) return [];
  return sentence
    .split(NEXT_CLAUSE)
    .map(withoutEdges)
    .filter((clause) => clause !== "");
}

function withoutEdges(clause: string): string {
  let end = clause.length;
  while (end > 0 && OF_AN_END.test(clause.charAt(end - 1))) end--;
  return clause.slice(0, end).replace(BEGINNING, "");
}
