/** How far a phrase points from the day it is said on. */
export interface Offset {
  unit: "day" | "week" | "month" | "year" | "weekday";
  /** For a weekday: -1 the last one before the day, 1 the next one after it, -7 and 7 in the week before and after. */
  count: number;
  /** 0: Sunday. */
  weekday?: number;
}

/** How far numbers go in each unit. */
const FURTHEST = { day: 60, week: 12, month: 24, year: 30 } as const;

const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  en: ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
  de: ["einem", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"],
  fr: ["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"],
  es: ["un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"],
};

/** What people say besides and the runtime has no phrase for. */
const DAYS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: {
    "the day before yesterday": -2,
    "last night": -1,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    tonight: 0,
    "tomorrow morning": 1,
    "the day after tomorrow": 2,
  },
  de: { "gestern abend": -1, "heute morgen": 0, "heute abend": 0, "morgen früh": 1, "morgen abend": 1 },
  fr: { "hier soir": -1, "ce matin": 0, "ce soir": 0, "demain matin": 1 },
  es: { anoche: -1, "esta mañana": 0, "esta noche": 0, "mañana por la mañana": 1 },
  pt: { "ontem à noite": -1, "esta manhã": 0, "hoje à noite": 0 },
  it: { "ieri sera": -1, stamattina: 0, stasera: 0, "domani mattina": 1 },
  ja: { 昨夜: -1, 昨晩: -1, きのう: -1, きょう: 0, 今朝: 0, 今夜: 0, 今晩: 0, あした: 1 },
  zh: { 昨晚: -1, 昨日: -1, 今早: 0, 今晚: 0, 今日: 0, 明早: 1, 明晚: 1, 明日: 1, 後天: 2 },
  ru: { "вчера вечером": -1, "сегодня вечером": 0, "завтра утром": 1 },
};

/** Around a weekday's name (`#`): which one of them is meant. */
const WEEKDAYS: Readonly<Record<string, readonly (readonly [pattern: string, count: number])[]>> = {
  en: [
    ["last #", -1],
    ["this past #", -1],
    ["next #", 1],
    ["this coming #", 1],
  ],
  de: [
    ["letzten #", -1],
    ["vergangenen #", -1],
    ["nächsten #", 1],
    ["kommenden #", 1],
  ],
  fr: [
    ["# dernier", -1],
    ["# prochain", 1],
  ],
  es: [
    ["el # pasado", -1],
    ["el próximo #", 1],
    ["el # que viene", 1],
  ],
  pt: [
    ["# passada", -1],
    ["# passado", -1],
    ["próxima #", 1],
    ["próximo #", 1],
  ],
  it: [
    ["# scorso", -1],
    ["# prossimo", 1],
  ],
  nl: [
    ["afgelopen #", -1],
    ["komende #", 1],
  ],
  ja: [
    ["先週の#", -7],
    ["来週の#", 7],
  ],
  zh: [
    ["上#", -7],
    ["下#", 7],
  ],
};

/** Short forms of a weekday beside the runtime's. */
function weekdayNames(language: string, weekday: number): string[] {
  // 4 January 1970 was a Sunday.
  const date = new Date(Date.UTC(1970, 0, 4 + weekday));
  const name = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(date).toLowerCase();
  if (language === "zh") {
    const day = name.at(-1) ?? "";
    return [`周${day}`, `星期${day}`, `礼拜${day}`, ...(weekday === 0 ? ["周天", "星期天"] : [])];
  }
  return language === "pt" ? [name, name.replace("-feira", "")] : [name];
}

/** Phrases of a language that point from the day they are said on, longest first, each with how far. */
export function relativePhrases(language: string): Map<string, Offset> {
  const phrases = new Map<string, Offset>();
  const add = (phrase: string, offset: Offset): void => {
    const folded = phrase.toLowerCase().replaceAll("’", "'").trim();
    if (folded !== "" && !phrases.has(folded)) phrases.set(folded, offset);
  };
  for (const [phrase, count] of Object.entries(DAYS[language] ?? {})) add(phrase, { unit: "day", count });
  const words = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: "auto" });
  const numbers = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: "always" });
  // One word for yesterday and tomorrow, as in Hindi, tells neither.
  const days = [-2, -1, 0, 1, 2].map((count) => ({ count, phrase: words.format(count, "day") }));
  for (const { count, phrase } of days) {
    if (days.filter((other) => other.phrase === phrase).length === 1) add(phrase, { unit: "day", count });
  }
  for (const unit of ["week", "month", "year"] as const) {
    for (const count of [-1, 1]) add(words.format(count, unit), { unit, count });
  }
  for (const unit of ["day", "week", "month", "year"] as const) {
    for (let count = 1; count <= FURTHEST[unit]; count++) {
      for (const signed of [-count, count]) {
        const phrase = numbers.format(signed, unit);
        add(phrase, { unit, count: signed });
        const word = NUMBERS[language]?.[count - 1];
        if (word !== undefined) add(phrase.replace(String(count), word), { unit, count: signed });
        if (language === "en" && count === 1) add(phrase.replace("1", "a"), { unit, count: signed });
      }
    }
  }
  for (const [pattern, count] of WEEKDAYS[language] ?? []) {
    for (let weekday = 0; weekday < 7; weekday++) {
      for (const name of weekdayNames(language, weekday)) {
        add(pattern.replace("#", name), { unit: "weekday", count, weekday });
      }
    }
  }
  return new Map([...phrases].sort(([a], [b]) => b.length - a.length));
}
