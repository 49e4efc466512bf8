const ITALIAN = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre";
const TURKISH = "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık";

/** Names of the months, January first, as they stand in dates and behind a preposition. */
const MONTHS: readonly (readonly string[])[] = [
  "january february march april may june july august september october november december",
  "jan feb mar apr may jun jul aug sept oct nov dec",
  "- - - - - - - - sep okt - dez",
  "januar februar märz april mai juni juli august september oktober november dezember",
  "jänner feber - - - - - - - - - -",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
  ITALIAN,
  "januari februari maart april mei juni juli augustus september oktober november december",
  "januari februari mars april maj juni juli augusti september oktober november december",
  "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
  "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
  "styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu",
  TURKISH,
  "ocakta şubatta martta nisanda mayısta haziranda temmuzda ağustosta eylülde ekimde kasımda aralıkta",
  "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
  "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
  "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
  "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень",
  "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
  "січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні",
  "ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος",
  "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
  "ιανουάριο φεβρουάριο μάρτιο απρίλιο μάιο ιούνιο ιούλιο αύγουστο σεπτέμβριο οκτώβριο νοέμβριο δεκέμβριο",
  "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
  "- - - ابريل - - - اغسطس - اكتوبر - -",
  "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
  "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
  "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्तूबर नवंबर दिसंबर",
  "- फरवरी - - - - - - सितम्बर अक्टूबर नवम्बर दिसम्बर",
].map((names) => names.normalize("NFC").split(" "));

const MONTH_OF = new Map(
  MONTHS.flatMap((names) => names.map((name, index) => [name, index + 1] as const)).filter(([name]) => name !== "-"),
);

/** The month (1 to 12) that a word in lower case names. */
export const monthNamed = (word: string): number | undefined => MONTH_OF.get(word);

/** Without a day, a year or a preposition beside them these are other words. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  "may march mars mar dec jan mai mei maj maja mayo marta ocak mart ekim aralık август".split(" "),
);

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words right before a month that tell that it is one. */
const IN_A_MONTH = set(
  "in of during since until from on last between im letzten seit zwischen en entre desde em da nel in sinds w в с у за",
);
/** Words right behind it that do. */
const OF_A_MONTH = set("ayında ayı");
/** Endings are written apart from names in Turkish: "Nisan'da". Elsewhere they are words: "Julio te dijo". */
const TURKISH_ENDINGS = set("ta te da de");
/** The same before and behind a name that is no other word: "this may" is none. */
const BEFORE_A_NAME = set(
  "this next till before after early late mid all ab bis nach vor anfang mitte ende diesen vergangenen " +
    "depuis avant après début fin mois hasta antes después até depois após mes mês ad tra fra dopo prima fino scorso mese " +
    "vanaf tot na voor tussen afgelopen vorige begin eind sedan efter före mellan förra i od do po przed między " +
    "до после перед между начале середине конце від після між τον στον από πριν μετά " +
    "في منذ قبل بعد حتى شهر בין חודש",
);
const BEHIND_A_NAME = set("last dernier pasado passado scorso में महीने");
/** Forms that have "in" in them, of Hebrew and Turkish. */
const INFLECTED = /^(?:ב.+|.+[td][ae])$/u;

const isOf = (names: string, word: string): boolean => names.split(" ").includes(word);

/**
 * Whether a month's name without a day or a year beside it is meant as one, by the words before and behind. `undefined`: it may be
 * one, or somebody's name: "What did April say?"
 */
export function isMonth(word: string, before = "", behind = ""): boolean | undefined {
  if (IN_A_MONTH.has(before) || OF_A_MONTH.has(behind)) return true;
  if (isOf(TURKISH, word) && TURKISH_ENDINGS.has(behind)) return true;
  // In English "I" stands before a verb.
  if (AMBIGUOUS.has(word)) return before === "i" && (word === "mars" || word === "maj");
  // In Spanish "a" stands before people.
  if (before === "a" && isOf(ITALIAN, word)) return true;
  return BEFORE_A_NAME.has(before) || BEHIND_A_NAME.has(behind) || INFLECTED.test(word) || undefined;
}
