/** How a language tells what was by "have" or "be" and a participle: few words, and a form that thousands of verbs have. */
interface Perfect {
  /** With "have" before a participle. Of what is arranged ("planned", "booked") it tells of what is to come. */
  have: RegExp;
  /** With "be": of verbs of coming, going and being only; others tell how something is. */
  be?: RegExp;
}

/** "Have" and a participle at the end of a clause: nothing but a preposition follows, and "zu erledigen" is to come. */
const atTheEnd = (words: string, participles: string, prepositions: string): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${words})(?!\\p{L})(?:[^.!?\\n]|(?<=\\d)\\.){0,120}(?<!\\p{L})(?<!(?<!\\p{L})(?:zu|te) )(?:${participles})(?=\\s*(?:[^\\p{L}\\s]|$)|\\s+(?:${prepositions})(?!\\p{L}))`,
    "u",
  );

/** "Have", whom it is asked of, and the participle, side by side. */
const sideBySide = (words: string, between: string, participles: string): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${words})(?!\\p{L})(?:[-\\s]+(?:${between}|\\p{Lu}\\p{L}+)){0,3}\\s+(?:${participles})(?!\\p{L})`,
    "u",
  );

/** What is arranged is to come. */
const ARRANGED = {
  de: "(?!eingeplan|geplan|vorgesehen|vorgenommen|geöffnet|geschlossen|angesetzt|vereinbart|ausgemacht|verabredet|gebucht|reserviert|gestattet|erlaubt|verboten)",
  nl: "(?!ingepland|gepland|afgesproken|geopend|gesloten|geboekt|gereserveerd)",
  fr: "(?!prévu|planifié|réservé|programmé|fermé)",
  it: "(?!previsto|pianificato|programmato|prenotato|fissato|organizzato)",
  es: "(?!quedado|planeado|planificado|previsto|reservado|programado)",
  sv: "(?!planerat|bokat|bestämt|reserverat)",
  en: "(?!planned|scheduled|booked|reserved|arranged|supposed|got)",
};

/** By language tag. */
const PERFECTS: Readonly<Record<string, Perfect>> = {
  en: {
    have: sideBySide(
      "have|has|haven['’]t|hasn['’]t|['’]ve|ve",
      "I|you|we|they|he|she|it|my \\p{L}+|not|ever|already|just|also|all|both",
      `${ARRANGED.en}(?:\\p{Ll}{2,}ed|been|begun|bought|brought|built|caught|chosen|come|cooked|cut|done|drawn|driven|drunk|eaten|fallen|` +
        "felt|forgotten|found|flown|given|gone|had|heard|held|hurt|kept|known|learnt|left|lent|lost|made|met|paid|put|read|ridden|run|said|" +
        "seen|sent|sold|spent|spoken|stolen|swum|taken|taught|thought|told|thrown|won|worn|written)",
    ),
  },
  de: {
    have: atTheEnd(
      "habe?|hast|hat|haben|habt",
      `${ARRANGED.de}(?:(?:\\p{Ll}{2,6})?ge\\p{Ll}{2,}(?:t|en)|(?:be|ver|er|ent|zer|miss)\\p{Ll}{2,}(?:t|en)|\\p{Ll}{2,}iert)`,
      "am|an|auf|aus|bei|für|im|in|mit|nach|oder|seit|über|um|und|vom|von|vor|zu|zum|zur",
    ),
    be: atTheEnd(
      "bin|bist|ist|sind|seid",
      "(?:\\p{Ll}{2,6})?ge(?:gangen|fahren|flogen|kommen|laufen|reist|blieben|wesen|worden|storben|zogen|standen|stiegen|fallen|schwommen|" +
        "wandert|joggt|radelt|landet|wacht)",
      "am|an|auf|aus|bei|im|in|mit|nach|oder|und|vom|von|zu|zum|zur",
    ),
  },
  nl: {
    have: atTheEnd(
      "heb|hebt|heeft|hebben",
      `${ARRANGED.nl}(?:(?:\\p{Ll}{2,5})?ge\\p{Ll}{2,}(?:(?<!hei)d|t|en)|(?:be|ver|er|ont|her)\\p{Ll}{2,}(?:(?<!hei)d|t|en))`,
      "aan|bij|en|in|met|na|naar|of|op|over|sinds|uit|van|voor",
    ),
    be: atTheEnd(
      "ben|bent|is|zijn",
      "(?:\\p{Ll}{2,5})?ge(?:gaan|komen|weest|bleven|reden|vlogen|lopen|fietst|reisd|worden|storven|boren|vallen)|verhuisd|vertrokken",
      "aan|bij|en|in|met|na|naar|of|op|uit|van|voor",
    ),
  },
  fr: {
    have: sideBySide(
      "ai|as|a|avons|avez|ont",
      "t|je|j|tu|il|elle|on|nous|vous|ils|elles|pas|déjà|jamais|bien|tout|tous|donc",
      `${ARRANGED.fr}(?:\\p{Ll}{2,}(?:é|ée|és|ées)|vue?s?|lus?|bu|eu|pu|su|dû|reçu|connu|voulu|tenu|perdu|rendu|vendu|entendu|attendu|répondu|` +
        "couru|vécu|cru|mise?s?|pris|appris|compris|promis|écrit|dit|fait|conduit|fini|choisi|dormi|servi|senti|suivi|ouvert|offert|découvert)",
    ),
    be: sideBySide(
      "suis|es|est|sommes|êtes|sont",
      "je|tu|il|elle|on|nous|vous|ils|elles|pas|déjà|t",
      "(?:all|arriv|entr|rentr|rest|tomb|mont|retourn|pass)é(?:e|s|es)?|(?:re)?(?:ven|deven|descend)u(?:e|s|es)?|(?:part|sort)i(?:e|s|es)?|née?|morte?",
    ),
  },
  es: {
    have: sideBySide(
      "he|has|ha|hemos|habéis|han",
      "yo|ya|no|nunca|también",
      `${ARRANGED.es}(?:\\p{Ll}{2,}(?:ado|ido|ído)|hecho|dicho|visto|escrito|puesto|abierto|vuelto|roto|muerto|ido|sido)`,
    ),
  },
  it: {
    have: sideBySide(
      "ho|hai|ha|abbiamo|avete|hanno",
      "io|tu|noi|voi|già|mai|poi|anche|non",
      `${ARRANGED.it}(?:\\p{Ll}{2,}(?:ato|uto|ito)|fatto|detto|visto|scritto|letto|preso|messo|chiesto|speso|perso|aperto|chiuso|scelto|vinto|` +
        "corso|deciso|risposto|rotto|bevuto)",
    ),
    be: sideBySide(
      "sono|sei|è|siamo|siete",
      "io|tu|noi|voi|già|mai|poi|anche|non",
      "(?:andat|venut|arrivat|partit|uscit|entrat|rientrat|tornat|rimast|stat|nat|mort|cadut|salit|sces|passat)[oaie]",
    ),
  },
  sv: {
    have: sideBySide(
      "har",
      "jag|du|vi|ni|han|hon|de|inte|redan|också",
      `${ARRANGED.sv}(?:\\p{Ll}{2,}(?:at|it)|sett|gett|fått|gått|stått|bett|satt|mött|köpt|läst|rest|tänkt|åkt|lekt|kört|hört|lärt|gjort|sålt|haft|bytt|hjälpt)`,
    ),
  },
};

/** Whether a question asks by "have" or "be" and a participle for what was: "Was haben wir gegessen?", "Où êtes-vous allés ?" Pure. */
export function isPerfect(question: string, language: string): boolean {
  const perfect = PERFECTS[language];
  if (perfect === undefined) return false;
  // Nouns and names have capitals; so has the first word, whatever it is.
  const text = question.replace(/^[^\p{L}]*\p{Lu}/u, (start) => start.toLowerCase());
  return perfect.have.test(text) || perfect.be?.test(text) === true;
}
