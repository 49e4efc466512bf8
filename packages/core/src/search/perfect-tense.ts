import { without } from "./without.ts";

/** How a language tells what was by "have" or "be" and a participle: few words, and a form that thousands of verbs have. */
interface Perfect {
  /** Any of them tells it. */
  tells: readonly RegExp[];
  /** What is arranged is to come, whatever else stands in the clause. */
  arranged: RegExp;
}

/** "Have" and a participle at the end of a clause: nothing but a preposition follows, and "zu erledigen" is to come. */
const atTheEnd = (words: string, participles: string, prepositions: string): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${words})(?!\\p{L}).{0,120}(?<!\\p{L})(?<!(?<!\\p{L})(?:zu|te) )(?:${participles})(?=\\s*$|\\s*[^\\p{L}\\s]|\\s{2}|\\s+(?:${prepositions})(?!\\p{L}))`,
    "u",
  );

/** "Have", whom it is asked of, and the participle, side by side; `behind`: what may follow, if not all may. */
const sideBySide = (words: string, between: string, participles: string, behind?: string): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${words})(?!\\p{L})(?:[-\\s]+(?:${between}|\\p{Lu}\\p{L}+)){0,4}\\s+(?:${participles})(?!\\p{L})` +
      (behind === undefined ? "" : `(?=\\s*$|\\s*[^\\p{L}\\s]|\\s{2}|\\s+(?:${behind}|\\p{Lu}\\p{L}+)(?!\\p{L}))`),
    "u",
  );

const oneOf = (list: string): RegExp => new RegExp(`(?<!\\p{L})(?:${list})(?!\\p{L})`, "u");

const PARTICIPLES = {
  en:
    "\\p{Ll}{2,}ed|been|begun|bought|brought|built|caught|chosen|come|cooked|cut|done|drawn|driven|drunk|eaten|fallen|felt|forgotten|found|" +
    "flown|given|gone|had|heard|held|hurt|kept|known|learnt|left|lent|lost|made|met|paid|put|read|ridden|run|said|seen|sent|sold|spent|" +
    "spoken|stolen|swum|taken|taught|thought|told|thrown|won|worn|written",
  de:
    "(?!\\p{Ll}*(?:ung|heit|keit|schaft|schäft|richt|sicht|wicht|schicht)(?:en)?(?!\\p{L})|geburt|gedanken)" +
    "(?:(?:\\p{Ll}{2,6})?ge\\p{Ll}{2,}(?:t|en)|(?:be|ver|er|ent|emp|zer|miss|über|unter)\\p{Ll}{2,}(?:t|en)|\\p{Ll}{2,}iert)",
  nl:
    "(?!\\p{Ll}*(?:ingen|heden|heid|leid)(?!\\p{L})|(?:bericht|beurt|gerecht|gebied|geluid|beest)(?:en)?(?!\\p{L})|gebed|gebit|geweld|verstand|verband|verdriet|verzet)" +
    "(?:(?:\\p{Ll}{2,5})?ge\\p{Ll}{2,}(?:d|t|en)|(?:be|ver|er|ont|her)\\p{Ll}{2,}(?:d|t|en))",
  fr:
    "(?!congé|marché|lycée|café|musée|soirée|journée|matinée|randonnée|rentrée|entrée|karaté|bébé)" +
    "(?:\\p{Ll}{2,}(?:é|ée|és|ées)|vue?s?|lus?|bu|eu|pu|su|dû|reçu|connu|voulu|tenu|perdu|rendu|vendu|entendu|attendu|répondu|couru|vécu|cru|" +
    "mise?s?|pris|appris|compris|écrit|dit|fait|conduit|fini|choisi|dormi|servi|senti|suivi|ouvert|offert|découvert)",
  es: "\\p{Ll}{2,}(?:ado|ido|ído)|hecho|dicho|visto|escrito|puesto|abierto|vuelto|roto|muerto|ido|sido",
  it:
    "(?!mercato|bucato|marito|gelato|invito|compito|vestito|debito|credito|aiuto|campionato)(?:\\p{Ll}{2,}(?:ato|uto|ito)|fatto|detto|visto|" +
    "scritto|letto|preso|messo|chiesto|speso|perso|aperto|chiuso|scelto|vinto|corso|risposto|rotto|bevuto)",
  sv:
    "(?!annat|privat|separat)(?:\\p{Ll}{2,}(?:at|it)|sett|gett|fått|gått|stått|bett|satt|mött|köpt|läst|rest|åkt|lekt|kört|hört|lärt|gjort|sålt|" +
    "haft|bytt|hjälpt)",
};

/** Who is asked of by "be", and by both in Italian. */
const BETWEEN = { fr: "je|tu|il|elle|on|nous|vous|ils|elles|pas|déjà|t", it: "io|tu|noi|voi|già|mai|poi|anche|non" };

/** By language tag. */
const PERFECTS: Readonly<Record<string, Perfect>> = {
  en: {
    tells: [
      sideBySide(
        "have|has|haven['’]t|hasn['’]t|['’]ve|ve",
        "[Ii]|you|we|they|he|she|it|(?:the|my|your|our|his|her|their) \\p{L}+|and|not|ever|already|just|also|all|both",
        PARTICIPLES.en,
        "a|about|all|an|and|as|at|away|back|by|for|from|her|here|him|his|in|into|it|me|my|of|off|on|or|our|out|since|so|the|their|them|there|" +
          "to|together|up|us|with|you|your",
      ),
    ],
    arranged: oneOf(
      "planned|scheduled|booked|reserved|arranged|organi[sz]ed|agreed|confirmed|promised|invited|supposed|got|signed up|lined up|set up|do|does",
    ),
  },
  de: {
    tells: [
      atTheEnd(
        "habe?|hast|hat|haben|habt",
        PARTICIPLES.de,
        "am|an|auf|aus|bei|für|im|in|mit|nach|oder|seit|über|um|und|vom|von|vor|zu|zum|zur",
      ),
      atTheEnd(
        "bin|bist|ist|sind|seid",
        "(?:\\p{Ll}{2,6})?ge(?:gangen|fahren|flogen|kommen|laufen|reist|blieben|wesen|worden|storben|zogen|standen|stiegen|fallen|schwommen|" +
          "wandert|joggt|radelt|landet|wacht)|begegnet",
        "am|an|auf|aus|bei|im|in|mit|nach|oder|und|vom|von|zu|zum|zur",
      ),
    ],
    arranged: oneOf(
      "(?:ein)?geplant|vorgesehen|vorgenommen|geöffnet|geschlossen|angesetzt|vereinbart|ausgemacht|abgemacht|verabredet|eingetragen|zugesagt|" +
        "eingeladen|gebucht|reserviert|gestattet|erlaubt|verboten|versprochen",
    ),
  },
  nl: {
    tells: [
      atTheEnd("heb|hebt|heeft|hebben", PARTICIPLES.nl, "aan|bij|en|in|met|na|naar|of|op|over|sinds|uit|van|voor"),
      atTheEnd(
        "ben|bent|is|zijn",
        "(?:\\p{Ll}{2,5})?ge(?:gaan|komen|weest|bleven|reden|vlogen|lopen|fietst|reisd|worden|storven|boren|vallen)|verhuisd|vertrokken",
        "aan|bij|en|in|met|na|naar|of|op|uit|van|voor",
      ),
    ],
    arranged: oneOf("(?:in)?gepland|afgesproken|geregeld|uitgenodigd|beloofd|geopend|gesloten|geboekt|gereserveerd"),
  },
  fr: {
    tells: [
      sideBySide(
        "ai|as|a|avons|avez|ont",
        "t|je|j|tu|il|elle|on|nous|vous|ils|elles|pas|déjà|jamais|bien|tout|tous|donc",
        PARTICIPLES.fr,
      ),
      sideBySide(
        "suis|es|est|sommes|êtes|sont",
        BETWEEN.fr,
        "(?:all|arriv|entr|rentr|rest|tomb|mont|retourn|pass)é(?:e|s|es)?|(?:re)?(?:ven|deven|descend)u(?:e|s|es)?|(?:part|sort)i(?:e|s|es)?|née?|morte?",
      ),
      sideBySide("(?:me |te |se |nous |vous |[mts]['’])(?:suis|es|est|sommes|êtes|sont)", BETWEEN.fr, PARTICIPLES.fr),
    ],
    arranged: oneOf("(?:prévu|planifié|réservé|programmé|fermé|organisé|décidé|promis|invité)(?:e|s|es)?"),
  },
  es: {
    tells: [sideBySide("he|has|ha|hemos|habéis|han", "yo|ya|no|nunca|también", PARTICIPLES.es)],
    arranged: oneOf(
      "quedado|planeado|planificado|previsto|reservado|programado|organizado|acordado|agendado|invitado|decidido",
    ),
  },
  it: {
    tells: [
      sideBySide("ho|hai|ha|abbiamo|avete|hanno", BETWEEN.it, PARTICIPLES.it),
      sideBySide(
        "sono|sei|è|siamo|siete",
        BETWEEN.it,
        "(?:andat|venut|arrivat|partit|uscit|entrat|rientrat|tornat|rimast|stat|nat|mort|cadut|salit|sces|passat)[oaie]",
      ),
      sideBySide(
        "(?:mi|ti|si|ci|vi) (?:sono|sei|è|siamo|siete)",
        "già|mai|poi|anche|non",
        "\\p{Ll}{2,}(?:at|ut|it)[oaie]",
      ),
    ],
    arranged: oneOf("previsto|pianificato|programmato|prenotato|fissato|organizzato|deciso|invitato"),
  },
  sv: {
    tells: [
      sideBySide("har", "jag|du|vi|ni|han|hon|de|inte|redan|också|(?:min|mitt|mina|din|vår) \\p{L}+", PARTICIPLES.sv),
    ],
    arranged: oneOf("planerat|(?:in)?bokat|bestämt|reserverat|lovat|bjudit|tänkt"),
  },
};

/** Whether a clause asks by "have" or "be" and a participle for what was: "Was haben wir gegessen?", "Où êtes-vous allés ?" Pure. */
export function isPerfect(clause: string, language: string): boolean {
  const perfect = PERFECTS[language];
  if (perfect === undefined) return false;
  // Nouns and names have capitals; so has the first word, whatever it is.
  const text = clause.replace(/[\u2010\u2011]/g, "-").replace(/^[^\p{L}]*\p{Lu}/u, (start) => start.toLowerCase());
  return !perfect.arranged.test(text) && perfect.tells.some((form) => form.test(text));
}

/** A dot behind a number or such a word ends nothing. */
const CLAUSE_ENDS = /[!?;:,\n()¿¡]|(?<!\d|(?<!\p{L})(?:Dr|Prof|Hr|Fr|Mr|Mrs|Ms|St|Nr))\./gu;
/** What is done for a day is done before it, and in Swedish "på söndag" is the one to come. */
const TO_COME = /(?<!\p{L})(?:for|für|voor|pour|para|per|inför|till?|på)\s+(?:(?:the|den|de|le|la|el|il)\s+)?$/iu;

/** The clauses in which times stand, with gaps in their places; none of which what was asked for is done for that time. Pure. */
export function clausesOfTimes(question: string, times: readonly { index: number; length: number }[]): string[] {
  const ends = [...question.matchAll(CLAUSE_ENDS)].map(({ index }) => index);
  return times.flatMap(({ index, length }) => {
    const from = (ends.findLast((end) => end < index) ?? -1) + 1;
    const to = ends.find((end) => end >= index + length) ?? question.length;
    const isToCome = TO_COME.test(question.slice(from, index)) || /^på\s/iu.test(question.slice(index, index + length));
    return isToCome ? [] : [without(question, [{ index, length }]).slice(from, to)];
  });
}
