/** How people of one language point at days, beside the phrases that the runtime knows. */
export interface LanguagePhrases {
  /** Words for one, two, three …; forms of one number with `|` between them, an empty one where it is left out. */
  numbers?: readonly string[];
  days?: Readonly<Record<string, number>>;
  weeks?: Readonly<Record<string, number>>;
  months?: Readonly<Record<string, number>>;
  years?: Readonly<Record<string, number>>;
  /** Of the week before, this week and the week after. */
  weekends?: Readonly<Record<string, number>>;
  /** Around a weekday's name (`#`): which one of them is meant. */
  weekdays?: readonly (readonly [pattern: string, count: number])[];
  /** What has such a phrase in it and means no day: "por la mañana". */
  none?: readonly string[];
  /** Other ways to say a phrase with a number. */
  more?: (phrase: string) => string[];
}

const words = (text: string): string[] =>
  text.split(" ").map((word) => (word === "-" ? "" : word.replaceAll("_", " ")));

const replaced =
  (pattern: RegExp, by: string) =>
  (phrase: string): string[] => {
    const other = phrase.replace(pattern, by);
    return other === phrase ? [] : [other];
  };

/** By language tag. */
export const PHRASES_OF: Readonly<Record<string, LanguagePhrases>> = {
  en: {
    numbers: words("one|a two|a_couple_of|a_couple three four five six seven eight nine ten eleven twelve"),
    days: {
      "the day before yesterday": -2,
      "last night": -1,
      "earlier today": 0,
      "this morning": 0,
      "this afternoon": 0,
      "this evening": 0,
      tonight: 0,
      "tomorrow morning": 1,
      "the day after tomorrow": 2,
    },
    weeks: { "a fortnight ago": -2, "in a fortnight": 2 },
    weekends: { "last weekend": -1, "this past weekend": -1, "this weekend": 0, "next weekend": 1 },
    weekdays: [
      ["last #", -1],
      ["this past #", -1],
      ["this #", 0],
      ["next #", 1],
      ["this coming #", 1],
    ],
    more: replaced(/^in (.+)$/, "$1 from now"),
  },
  de: {
    none: ["guten morgen", "am morgen", "jeden morgen", "der morgen", "den morgen", "dieser morgen"],
    numbers: words("einem|einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
    days: {
      "gestern abend": -1,
      "heute morgen": 0,
      "heute früh": 0,
      "heute abend": 0,
      "morgen früh": 1,
      "morgen abend": 1,
    },
    weeks: {
      "in der letzten woche": -1,
      "vorige woche": -1,
      "vergangene woche": -1,
      "in der vergangenen woche": -1,
      "in dieser woche": 0,
      "in der nächsten woche": 1,
    },
    months: { "vergangenen monat": -1, "vorigen monat": -1, "in diesem monat": 0 },
    years: { "im letzten jahr": -1, "voriges jahr": -1, "vergangenes jahr": -1, "in diesem jahr": 0 },
    weekends: {
      "letztes wochenende": -1,
      "am letzten wochenende": -1,
      "vergangenes wochenende": -1,
      "dieses wochenende": 0,
      "nächstes wochenende": 1,
    },
    weekdays: [
      ["letzten #", -1],
      ["vergangenen #", -1],
      ["diesen #", 0],
      ["nächsten #", 1],
      ["kommenden #", 1],
    ],
  },
  fr: {
    numbers: words("un|une deux trois quatre cinq six sept huit neuf dix onze douze"),
    days: { "hier soir": -1, "ce matin": 0, "cet après-midi": 0, "ce soir": 0, "demain matin": 1 },
    months: { "ce mois": 0 },
    years: { "l'an dernier": -1, "l'an passé": -1 },
    weekends: { "le week-end dernier": -1, "le weekend dernier": -1, "ce week-end": 0, "le week-end prochain": 1 },
    weekdays: [
      ["# dernier", -1],
      ["ce #", 0],
      ["# prochain", 1],
    ],
  },
  es: {
    none: ["la mañana", "cada mañana", "una mañana", "el mañana"],
    numbers: words("un|una dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    days: { anoche: -1, "esta mañana": 0, "esta noche": 0, "mañana por la mañana": 1, antier: -2 },
    weeks: { "la semana que viene": 1 },
    months: { "el mes que viene": 1 },
    weekends: {
      "el fin de semana pasado": -1,
      "el pasado fin de semana": -1,
      "este fin de semana": 0,
      "el próximo fin de semana": 1,
    },
    weekdays: [
      ["el # pasado", -1],
      ["este #", 0],
      ["el próximo #", 1],
      ["el # que viene", 1],
    ],
    more: replaced(/^dentro de (.+)$/, "en $1"),
  },
  pt: {
    numbers: words("um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze"),
    days: { "ontem à noite": -1, "esta manhã": 0, "hoje de manhã": 0, "hoje à noite": 0 },
    weeks: { "nesta semana": 0, "essa semana": 0 },
    months: { "neste mês": 0 },
    years: { "neste ano": 0 },
    weekends: {
      "fim de semana passado": -1,
      "final de semana passado": -1,
      "este fim de semana": 0,
      "próximo fim de semana": 1,
    },
    weekdays: [
      ["# passada", -1],
      ["# passado", -1],
      ["esta #", 0],
      ["este #", 0],
      ["próxima #", 1],
      ["próximo #", 1],
    ],
    more: (phrase) => (phrase.startsWith("em ") ? [`dentro de ${phrase.slice(3)}`, `daqui a ${phrase.slice(3)}`] : []),
  },
  it: {
    numbers: words("un|una due tre quattro cinque sei sette otto nove dieci undici dodici"),
    days: { "ieri sera": -1, stamattina: 0, stasera: 0, "domani mattina": 1, "l'altro ieri": -2, "l'altroieri": -2 },
    weeks: { "la scorsa settimana": -1, "in questa settimana": 0 },
    months: { "lo scorso mese": -1, "in questo mese": 0 },
    years: { "lo scorso anno": -1, "l'anno scorso": -1 },
    weekends: {
      "lo scorso weekend": -1,
      "il weekend scorso": -1,
      "lo scorso fine settimana": -1,
      "questo weekend": 0,
      "il prossimo weekend": 1,
    },
    weekdays: [
      ["# scorso", -1],
      ["# scorsa", -1],
      ["questo #", 0],
      ["# prossimo", 1],
      ["# prossima", 1],
    ],
    more: replaced(/^tra (.+)$/, "fra $1"),
  },
  nl: {
    none: ["goede morgen", "elke morgen", "de morgen"],
    numbers: words("een|één twee drie vier vijf zes zeven acht negen tien elf twaalf"),
    days: { gisteravond: -1, vanochtend: 0, vanmorgen: 0, vanavond: 0, morgenochtend: 1 },
    weeks: { "afgelopen week": -1 },
    months: { "afgelopen maand": -1 },
    years: { "afgelopen jaar": -1 },
    weekends: { "afgelopen weekend": -1, "vorig weekend": -1, "dit weekend": 0, "volgend weekend": 1 },
    weekdays: [
      ["afgelopen #", -1],
      ["vorige #", -1],
      ["deze #", 0],
      ["aanstaande #", 0],
      ["komende #", 1],
      ["volgende #", 1],
    ],
  },
  sv: {
    numbers: words("en|ett två tre fyra fem sex sju åtta nio tio elva tolv"),
    days: { igår: -1, idag: 0, imorgon: 1, "i går kväll": -1, "i morse": 0, ikväll: 0 },
    weeks: { "i förra veckan": -1, "den här veckan": 0, "i veckan": 0 },
    months: { "förra månaden": -1, "denna månad": 0 },
    weekends: { "förra helgen": -1, "i helgen": 0, "nästa helg": 1 },
    weekdays: [
      ["i #s", -1],
      ["förra #en", -7],
      ["nästa #", 7],
    ],
  },
  pl: {
    numbers: words(
      "jeden|- dwa|dwóch trzy|trzech cztery|czterech pięć|pięciu sześć|sześciu siedem osiem dziewięć dziesięć",
    ),
    days: { "wczoraj wieczorem": -1, dziś: 0, dzisiaj: 0, "dziś rano": 0, "dziś wieczorem": 0 },
    weeks: { "w ubiegłym tygodniu": -1, "zeszłego tygodnia": -1 },
    months: { "w ubiegłym miesiącu": -1 },
    years: { "w ubiegłym roku": -1 },
    weekends: { "w zeszły weekend": -1, "w ten weekend": 0, "w przyszły weekend": 1 },
    weekdays: [
      ["w zeszły #", -1],
      ["w zeszłą #", -1],
      ["w ubiegły #", -1],
      ["w ubiegłą #", -1],
      ["w przyszły #", 1],
      ["w przyszłą #", 1],
    ],
  },
  ru: {
    numbers: words(
      "один|одну|- два|две|двух три|трёх|трех четыре|четырёх пять|пяти шесть|шести семь восемь девять десять",
    ),
    days: { "вчера вечером": -1, "сегодня утром": 0, "сегодня вечером": 0, "завтра утром": 1 },
    weeks: { "за прошлую неделю": -1, "за эту неделю": 0 },
    months: { "за этот месяц": 0 },
    weekends: { "в прошлые выходные": -1, "на прошлых выходных": -1, "в эти выходные": 0, "в следующие выходные": 1 },
    weekdays: [
      ["в прошлый #", -1],
      ["в прошлую #", -1],
      ["в прошлое #", -1],
      ["в этот #", 0],
      ["в эту #", 0],
      ["в следующий #", 1],
      ["в следующую #", 1],
    ],
  },
  uk: {
    numbers: words("один|одну|- два|дві три чотири п'ять шість"),
    days: { "вчора ввечері": -1, вчора: -1, "сьогодні вранці": 0 },
    weekdays: [
      ["минулої #", -1],
      ["минулого #", -1],
      ["минулу #", -1],
    ],
  },
  el: {
    numbers: words("μία|ένα|έναν δύο τρεις|τρία τέσσερις|τέσσερα πέντε έξι"),
    days: { "χθες το βράδυ": -1, "σήμερα το πρωί": 0 },
    weeks: { "την περασμένη εβδομάδα": -1, "την προηγούμενη εβδομάδα": -1, "αυτή την εβδομάδα": 0 },
    months: { "τον περασμένο μήνα": -1, "αυτόν τον μήνα": 0 },
    weekdays: [
      ["την περασμένη #", -1],
      ["το περασμένο #", -1],
    ],
    more: replaced(/^πριν από /u, "πριν "),
  },
  hi: {
    numbers: words("एक दो तीन चार पाँच|पांच छह"),
    weeks: { "पिछले सप्ताह": -1, "पिछले हफ़्ते": -1, "पिछले हफ्ते": -1, "इस हफ़्ते": 0, "इस हफ्ते": 0 },
    months: { "पिछले महीने": -1, "इस महीने": 0 },
    years: { "पिछले साल": -1, "इस साल": 0 },
    weekdays: [["पिछले #", -1]],
  },
  tr: {
    numbers: words("bir iki üç dört beş altı yedi sekiz dokuz on"),
    weeks: { "geçtiğimiz hafta": -1 },
    months: { "geçtiğimiz ay": -1 },
    days: { "dün gece": -1, "dün akşam": -1, "bu sabah": 0, "bu akşam": 0 },
    weekends: { "geçen hafta sonu": -1, "bu hafta sonu": 0, "gelecek hafta sonu": 1 },
    weekdays: [
      ["geçen #", -1],
      ["bu #", 0],
      ["önümüzdeki #", 1],
    ],
  },
  ja: {
    numbers: words("一 二 三 四 五 六 七 八 九 十"),
    days: {
      昨夜: -1,
      昨晩: -1,
      きのう: -1,
      おととい: -2,
      きょう: 0,
      今朝: 0,
      今夜: 0,
      今晩: 0,
      あした: 1,
      あさって: 2,
    },
    weeks: { 先々週: -2, 再来週: 2 },
    months: { 先々月: -2 },
    years: { 去年: -1, 一昨年: -2, おととし: -2 },
    weekends: { 先週末: -1, 先週の週末: -1, 今週末: 0, 来週末: 1 },
    weekdays: [
      ["先週の#", -7],
      ["先週#", -7],
      ["来週の#", 7],
    ],
    more: (phrase) => (phrase.includes("か月") ? [phrase.replace("か月", "ヶ月"), phrase.replace("か月", "カ月")] : []),
  },
  zh: {
    numbers: words("一 两|二 三 四 五 六 七 八 九 十"),
    days: {
      昨晚: -1,
      昨日: -1,
      一昨日: -2,
      今早: 0,
      今天早上: 0,
      今晚: 0,
      今日: 0,
      明早: 1,
      明晚: 1,
      明日: 1,
      後天: 2,
    },
    weeks: {
      上星期: -1,
      上个星期: -1,
      上個星期: -1,
      上礼拜: -1,
      这周: 0,
      這週: 0,
      这星期: 0,
      这个星期: 0,
      这礼拜: 0,
      下星期: 1,
      下个星期: 1,
    },
    months: { 上個月: -1, 这个月: 0, 這個月: 0 },
    weekends: { 上周末: -1, 上个周末: -1, 这周末: 0, 这个周末: 0, 下周末: 1, 下个周末: 1 },
    weekdays: [
      ["上#", -7],
      ["下#", 7],
    ],
    more: (phrase) => [
      ...replaced(/后$/u, "後")(phrase),
      ...replaced(/周/u, "个星期")(phrase),
      ...replaced(/周/u, "個星期")(phrase),
      ...replaced(/周/u, "週")(phrase),
      ...replaced(/个月/u, "個月")(phrase),
    ],
  },
  ko: {
    days: { 어젯밤: -1, 그제: -2, "이틀 전": -2, "사흘 전": -3, "나흘 전": -4, "오늘 아침": 0, "오늘 밤": 0 },
    weeks: { "지난 주": -1, "저번 주": -1, "일주일 전": -1 },
    months: { "지난 달": -1, "저번 달": -1, "한 달 전": -1, "두 달 전": -2 },
    weekends: { "지난 주말": -1, "이번 주말": 0, "다음 주말": 1 },
    weekdays: [
      ["지난 #", -1],
      ["지난주 #", -7],
      ["이번 #", 0],
      ["다음 주 #", 7],
    ],
  },
  ar: {
    numbers: [
      "",
      "",
      "ثلاثة|ثلاث",
      "أربعة|أربع",
      "خمسة|خمس",
      "ستة|ست",
      "سبعة|سبع",
      "ثمانية|ثماني",
      "تسعة|تسع",
      "عشرة|عشر",
    ],
    days: { "أول أمس": -2, البارحة: -1, "ليلة أمس": -1, "هذا الصباح": 0, "صباح اليوم": 0 },
    weeks: { "قبل أسبوع": -1, "منذ أسبوع": -1 },
    months: { "قبل شهر": -1, "منذ شهر": -1 },
    years: { "العام الماضي": -1, "هذا العام": 0 },
    weekdays: [
      ["# الماضي", -1],
      ["# الماضية", -1],
      ["# القادم", 1],
      ["# القادمة", 1],
    ],
    more: replaced(/^قبل /u, "منذ "),
  },
  he: {
    none: ["סוף השבוע", "בסוף השבוע"],
    numbers: ["", "", "שלושה|שלוש", "ארבעה|ארבע", "חמישה|חמש", "שישה|שש", "שבעה|שבע", "שמונה", "תשעה|תשע", "עשרה|עשר"],
    days: { הבוקר: 0, הערב: 0, "אתמול בלילה": -1 },
    weeks: { "בשבוע שעבר": -1, "שבוע שעבר": -1 },
    months: { "בחודש שעבר": -1, "חודש שעבר": -1 },
    years: { "בשנה שעברה": -1, "שנה שעברה": -1 },
    weekends: { "בסוף השבוע שעבר": -1, "סוף השבוע שעבר": -1 },
    weekdays: [
      ["# שעבר", -1],
      ["# הבא", 1],
    ],
  },
};
