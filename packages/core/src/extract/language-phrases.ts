/** How people of one language point at days, beside the phrases that the runtime knows. */
export interface LanguagePhrases {
  /** Words for one, two, three …; forms of one number with `|` between them, an empty one where it is left out. */
  numbers?: readonly string[];
  days?: Readonly<Record<string, number>>;
  weeks?: Readonly<Record<string, number>>;
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
    days: { "gestern abend": -1, "heute morgen": 0, "heute abend": 0, "morgen früh": 1, "morgen abend": 1 },
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
    days: { "hier soir": -1, "ce matin": 0, "ce soir": 0, "demain matin": 1 },
    weekends: { "le week-end dernier": -1, "ce week-end": 0, "le week-end prochain": 1 },
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
    weekends: { "el fin de semana pasado": -1, "este fin de semana": 0, "el próximo fin de semana": 1 },
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
    days: { "ontem à noite": -1, "esta manhã": 0, "hoje à noite": 0 },
    weekends: { "fim de semana passado": -1, "este fim de semana": 0, "próximo fim de semana": 1 },
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
    weekends: { "lo scorso weekend": -1, "il weekend scorso": -1, "questo weekend": 0, "il prossimo weekend": 1 },
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
    days: { igår: -1, idag: 0, imorgon: 1, "i går kväll": -1, ikväll: 0 },
    weekends: { "förra helgen": -1, "i helgen": 0, "nästa helg": 1 },
    weekdays: [
      ["i #s", -1],
      ["förra #en", -7],
      ["nästa #", 7],
    ],
  },
  pl: {
    numbers: words("jeden|- dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć"),
    days: { "wczoraj wieczorem": -1, dziś: 0, dzisiaj: 0, "dziś wieczorem": 0 },
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
    numbers: words("один|одну|- два|две три четыре пять шесть семь восемь девять десять"),
    days: { "вчера вечером": -1, "сегодня вечером": 0, "завтра утром": 1 },
    weekends: { "в прошлые выходные": -1, "в эти выходные": 0, "в следующие выходные": 1 },
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
  tr: {
    numbers: words("bir iki üç dört beş altı yedi sekiz dokuz on"),
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
    weekends: { 先週末: -1, 先週の週末: -1, 今週末: 0, 来週末: 1 },
    weekdays: [
      ["先週の#", -7],
      ["来週の#", 7],
    ],
  },
  zh: {
    numbers: words("一 两|二 三 四 五 六 七 八 九 十"),
    days: { 昨晚: -1, 昨日: -1, 今早: 0, 今晚: 0, 今日: 0, 明早: 1, 明晚: 1, 明日: 1, 後天: 2 },
    weekends: { 上周末: -1, 上个周末: -1, 这周末: 0, 这个周末: 0, 下周末: 1, 下个周末: 1 },
    weekdays: [
      ["上#", -7],
      ["下#", 7],
    ],
    more: replaced(/后$/u, "後"),
  },
  ko: {
    days: { 어젯밤: -1, 그제: -2, "오늘 아침": 0, "오늘 밤": 0 },
    weekends: { "지난 주말": -1, "이번 주말": 0, "다음 주말": 1 },
    weekdays: [
      ["지난 #", -1],
      ["지난주 #", -7],
      ["이번 #", 0],
      ["다음 주 #", 7],
    ],
  },
  ar: {
    days: { "أول أمس": -2, البارحة: -1, "ليلة أمس": -1 },
    weekdays: [
      ["# الماضي", -1],
      ["# الماضية", -1],
      ["# القادم", 1],
      ["# القادمة", 1],
    ],
    more: replaced(/^قبل /u, "منذ "),
  },
  he: {
    weekdays: [
      ["# שעבר", -1],
      ["# הבא", 1],
    ],
  },
};
