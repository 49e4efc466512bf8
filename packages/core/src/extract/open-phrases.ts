import { countWords, FURTHEST, foldPhrase, type Offset, UNITS, weekdayNames } from "./relative-phrases.ts";

/**
 * Which side of now a time of a question lies on. `back`: what was. `sure`: where it says. `open`: what was, if that is asked
 * for. `bare`: the same, of a weekday's name alone, which may be no time.
 */
export type Side = "back" | "sure" | "open" | "bare";

/** How a question of one language points at a time that it doesn't say the side of: "on Sunday" was, or is to come. */
interface OpenWords {
  /** Around a weekday's name (`#`). Its name alone is looked for, too. */
  weekdays?: readonly string[];
  /** The nearest weekend. */
  weekends?: readonly string[];
  /** Before so many (`#`) days, weeks, months or years (`@`) up to now. */
  last?: readonly string[];
  /** The same of one, without its number. */
  lastOne?: Readonly<Record<string, "day" | "week" | "month" | "year">>;
  /** Other forms of a unit's name in it, as Intl doesn't give them. */
  units?: Readonly<Record<string, "day" | "week" | "month" | "year">>;
}

/** By language tag. */
export const OPEN_WORDS: Readonly<Record<string, OpenWords>> = {
  en: {
    weekdays: ["on #", "on the #", "this #"],
    weekends: ["at the weekend", "on the weekend", "over the weekend", "the weekend", "this weekend"],
    last: ["last # @", "past # @", "previous # @"],
    lastOne: { "past week": "week", "past month": "month", "past year": "year" },
  },
  de: {
    weekdays: ["am #", "diesen #", "an diesem #"],
    weekends: ["am wochenende", "übers wochenende", "das wochenende", "dieses wochenende", "an diesem wochenende"],
    last: ["letzten # @", "vergangenen # @"],
    units: { tagen: "day", monaten: "month", jahren: "year" },
  },
  fr: {
    weekdays: ["le #", "ce #"],
    weekends: ["le week-end", "le weekend", "ce week-end", "ce weekend"],
    last: ["# derniers @", "# dernières @"],
  },
  es: {
    weekdays: ["el #", "este #"],
    weekends: ["el fin de semana", "este fin de semana"],
    lastOne: { "última semana": "week", "último mes": "month", "último año": "year" },
    last: ["últimos # @", "últimas # @"],
  },
  pt: {
    weekdays: ["na #", "no #", "nesta #", "neste #", "esta #", "este #"],
    weekends: [
      "no fim de semana",
      "o fim de semana",
      "no final de semana",
      "neste fim de semana",
      "este fim de semana",
    ],
    last: ["últimos # @", "últimas # @"],
    lastOne: { "última semana": "week", "último mês": "month", "último ano": "year" },
  },
  it: {
    weekdays: ["di #", "il #", "la #", "questo #", "questa #"],
    weekends: [
      "nel weekend",
      "nel fine settimana",
      "il weekend",
      "il fine settimana",
      "questo weekend",
      "questo fine settimana",
    ],
    last: ["ultimi # @", "ultime # @"],
    lastOne: { "ultima settimana": "week", "ultimo mese": "month", "ultimo anno": "year" },
  },
  nl: {
    weekdays: ["op #", "deze #"],
    weekends: ["in het weekend", "het weekend", "dit weekend"],
    last: ["afgelopen # @", "laatste # @"],
  },
  sv: {
    weekdays: ["på #", "på #en"],
    weekends: ["i helgen", "på helgen", "under helgen"],
    last: ["senaste # @"],
    lastOne: { "senaste veckan": "week", "senaste månaden": "month", "senaste året": "year" },
    units: { dagarna: "day", veckorna: "week", månaderna: "month", åren: "year" },
  },
  pl: {
    weekdays: ["w #", "we #", "w ten #", "w tę #"],
    weekends: ["w weekend", "w ten weekend"],
    lastOne: { "ostatnim tygodniu": "week", "ostatnim miesiącu": "month" },
    last: ["ostatnich # @", "ostatnie # @"],
    units: { tygodni: "week", miesięcy: "month", lat: "year" },
  },
  ru: {
    weekdays: ["в #", "во #", "в этот #", "в эту #", "в это #"],
    weekends: ["на выходных", "в выходные", "в эти выходные"],
    last: ["последние # @", "последних # @"],
    lastOne: { "последнюю неделю": "week", "последний месяц": "month", "последний год": "year" },
  },
  uk: {
    weekdays: ["у #", "в #"],
    weekends: ["на вихідних", "у вихідні"],
    last: ["останні # @", "останніх # @"],
  },
  el: {
    weekdays: ["την #", "τη #", "το #"],
    weekends: ["το σαββατοκύριακο"],
    last: ["τελευταίες # @", "τελευταίους # @", "τελευταία # @"],
  },
  hi: {
    weekdays: ["# को"],
    last: ["पिछले # @"],
  },
  tr: {
    weekdays: ["# günü", "bu #"],
    weekends: ["hafta sonu", "hafta sonunda", "bu hafta sonu"],
    last: ["son # @"],
    units: { günde: "day", haftada: "week", ayda: "month", yılda: "year" },
  },
  ja: {
    weekdays: ["#に", "#は", "#の"],
    weekends: ["週末", "今週末"],
    last: ["過去#@間", "過去#@", "この#@間", "この#@", "ここ#@"],
    units: { 週間: "week", か月: "month", ヶ月: "month" },
  },
  zh: {
    weekdays: ["在#", "这#"],
    weekends: ["周末", "週末", "这周末", "这个周末"],
    last: ["最近#@", "过去#@", "過去#@", "近#@"],
    units: { 天: "day", 个星期: "week", 个月: "month", 年: "year" },
  },
  ko: {
    weekdays: ["#에", "#날", "이번 #"],
    weekends: ["주말에", "주말", "이번 주말"],
    last: ["지난 # @", "최근 # @"],
    lastOne: { "최근 일주일": "week", "최근 한 달": "month" },
    units: { "일 동안": "day", "주 동안": "week" },
  },
  ar: {
    weekdays: ["يوم #", "في #"],
    weekends: ["عطلة نهاية الأسبوع", "نهاية الأسبوع"],
    last: ["آخر # @", "اخر # @"],
  },
  he: {
    weekdays: ["ב#", "בְּ#"],
    weekends: ["בסוף השבוע", "סוף השבוע"],
    last: ["# ה@ האחרונים"],
    units: { ימים: "day", שבועות: "week", חודשים: "month" },
  },
};

/** What a phrase of a question means if it means what was. */
export interface OpenOffset extends Offset {
  /** Absent: `sure`. A time that lies `back` is no day so far away, but as long, up to the day itself. */
  side?: Exclude<Side, "sure">;
}

/** Phrases of a language that mean a time that was or one that is to come, as the question has it; longest first. */
export function openPhrases(language: string): Map<string, OpenOffset> {
  const phrases = new Map<string, OpenOffset>();
  const add = (phrase: string, offset: OpenOffset): void => {
    const folded = foldPhrase(phrase);
    if (!phrases.has(folded)) phrases.set(folded, offset);
  };
  const { weekdays = [], weekends = [], last = [], lastOne = {}, units = {} } = OPEN_WORDS[language] ?? {};
  for (const phrase of weekends) add(phrase, { unit: "weekend", count: Number.NaN, side: "open" });
  for (const [weekday, names] of weekdayNames(language).entries()) {
    for (const name of names) {
      for (const pattern of weekdays) {
        add(pattern.replace("#", name), { unit: "weekday", count: -1, weekday, side: "open" });
      }
      add(name, { unit: "weekday", count: -1, weekday, side: "bare" });
    }
  }
  for (const [phrase, unit] of Object.entries(lastOne)) add(phrase, { unit, count: -1, side: "back" });
  for (const pattern of last) {
    for (const [name, unit] of [...unitNames(language), ...Object.entries(units)]) {
      for (let count = 1; count <= FURTHEST[unit]; count++) {
        for (const number of [String(count), ...countWords(language, count).filter((word) => word !== "")]) {
          add(pattern.replace("#", number).replace("@", name), { unit, count: -count, side: "back" });
        }
      }
    }
  }
  return new Map([...phrases].sort(([a], [b]) => b.length - a.length));
}

type Unit = (typeof UNITS)[number];

/** What a language calls days, weeks, months and years, behind each number that changes them. */
function unitNames(language: string): (readonly [name: string, unit: Unit])[] {
  return UNITS.flatMap((unit) => {
    const format = new Intl.NumberFormat(`${language}-u-nu-latn`, { style: "unit", unit, unitDisplay: "long" });
    const names = [2, 3, 5].map((count) =>
      format
        .format(count)
        .replace(/[\d\s]+/gu, " ")
        .trim(),
    );
    return [...new Set(names)].map((name) => [name, unit] as const);
  });
}
