/**
 * Of each phrase of a language that points at a day (`relative-phrases.ts`, `open-phrases.ts`) one word, if it can be one that
 * says little else: what has none of them holds no such phrase. They stand here, as making them of the phrases takes the runtime's
 * names of units and days, and reading those takes 30 ms in a new process.
 */
const WORDS: Readonly<Record<string, string>> = {
  en:
    "days years months weeks month week year day wednesday thursday saturday tuesday sunday monday friday " +
    "weekend tomorrow fortnight today afternoon morning evening night yesterday tonight",
  de:
    "tagen jahren tage monaten wochen jahre monate woche jahr monat wochenende donnerstag dienstag mittwoch " +
    "sonntag freitag samstag montag tag heute morgen gestern vorgestern übermorgen",
  fr:
    "jours ans mois semaines semaine an dimanche mercredi vendredi samedi lundi mardi jeudi end weekend année " +
    "demain hier midi aujourd matin soir jour",
  es:
    "días años meses semanas semana mes año día miércoles domingo viernes martes jueves sábado lunes mañana " +
    "anteayer anoche antier ayer hoy noche",
  pt:
    "dias anos meses semanas semana segunda quarta quinta terça sexta mês ano dia domingo sábado hoje amanhã " +
    "ontem manhã anteontem",
  it:
    "giorni anni mesi settimane settimana mese anno mercoledì domenica martedì giovedì venerdì lunedì sabato " +
    "giorno weekend ieri domani altroieri stamattina dopodomani stasera oggi",
  nl:
    "dagen jaar maanden weken maand week donderdag woensdag zaterdag maandag dinsdag vrijdag zondag weekend " +
    "dag morgenochtend gisteravond eergisteren vanochtend overmorgen vanmorgen vanavond gisteren vandaag " +
    "morgen",
  sv:
    "dagar månader dagarna dygn veckor åren månaderna veckorna vecka månad dag veckan helgen månaden torsdag " +
    "söndag måndag tisdag onsdag fredag lördag torsdagen söndagen måndagen tisdagen onsdagen fredagen lördagen " +
    "går året övermorgon helg torsdags förrgår söndags måndags tisdags onsdags fredags lördags morgon imorgon " +
    "morse ikväll igår idag år",
  pl:
    "dni lat miesięcy lata miesiące tygodni tygodnie poniedziałek poniedziałku niedzielę niedzieli czwartek " +
    "czwartku wtorek wtorku piątek piątku sobotę soboty środę środy tydzień miesiąc dzień rok tygodniu " +
    "miesiącu weekend roku dziś wczoraj tygodnia przedwczoraj pojutrze dzisiaj jutro",
  ru:
    "дней дня лет месяцев года месяца недель недели день месяц понедельника воскресенье воскресенья " +
    "понедельник вторника четверга вторник четверг пятницу пятницы субботу субботы неделю среду среды год " +
    "выходные неделе месяце году сегодня выходных вчера завтра послезавтра позавчера",
  uk:
    "днів дні років місяців роки місяці тижнів тижні день місяць рік тиждень понеділок вівторок ятницю неділю " +
    "середу четвер суботу місяця тижня року сьогодні вчора післязавтра позавчора завтра учора вихідних вихідні",
  el:
    "ημέρες έτη μήνες εβδομάδες εβδομάδα μήνα έτος ημέρα παρασκευή κυριακή δευτέρα τετάρτη σάββατο πέμπτη " +
    "τρίτη μήνας σήμερα χθες μεθαύριο προχθές αύριο πέρσι φέτος σαββατοκύριακο",
  hi: "दिन वर्ष माह सप्ताह महीने शुक्रवार मंगलवार गुरुवार रविवार सोमवार बुधवार शनिवार हफ़्ते हफ्ते साल आज",
  tr:
    "gün yıl ay hafta günde yılda ayda haftada günü pazartesiden pazartesidan cumartesiden cumartesidan " +
    "çarşambaden çarşambadan perşembeden perşembedan pazartesi cumartesi pazarden pazardan çarşamba perşembe " +
    "salıden salıdan cumaden cumadan pazar salı cuma dün sabah akşam bugün yarın",
  ja: "月 日 年 週 今 昨 おと あさ きの きょ あし",
  zh: "天 月 年 星 周 週 拜 日 晚 早",
  th: "วัน สัปดาห์ เดือน ปี พรุ่งนี้ มะรืน เมื่อวาน",
  ko: "일 개월 년 주 달 주말 오늘 이틀 사흘 나흘 어젯밤 그저께 그제 어제 내일 모레 작년 올해 내년 요일",
  ar:
    "أيام سنوات أشهر يومان يومًا أسابيع سنتان شهران سنة أسبوعان شهرًا يوم الثلاثاء الأربعاء واحد أسبوعًا " +
    "الاثنين الخميس الجمعة الأحد السبت الأسبوع السنة الشهر أسبوعين يومين شهرين سنتين أمس العام اليوم أسبوع شهر " +
    "الصباح الغد البارحة غدًا",
  he:
    "ימים שנים היומיים הימים חודשים שבועות השנים החודשיים החודשים השבועיים השבועות יום השבוע בְּיום ביום שבוע " +
    "חודש שבועיים חודשיים יומיים החודש השנה שנה שבת אתמול שנתיים בשבוע בחודש בשנה מחרתיים הבוקר שלשום הערב " +
    "היום מחר בְּשבת בשבת",
};

/** Languages that write words together, or something on to them: there a part of a word tells. */
const TOGETHER: ReadonlySet<string> = new Set(["ja", "zh", "th", "ko"]);

/** Words of as many letters tell where they are written together with others, too: "lastnight", "haftasonu". */
const LETTERS = 4;

/** A word from its first letter to its last: a phrase may end before a mark, as "दिन" in "दिनों", "أمس" in "أمسِ". */
const WORD = /\p{L}(?:\p{M}*\p{L})*/gu;

/** In one case, and with one sigma: which one is written behind a mark isn't sure. */
const plain = (text: string): string => text.toLowerCase().replaceAll("ς", "σ");

/** Words that stand apart by their first {@link LETTERS}. */
const BEGINNINGS = new Map<string, { word: string; language: string }[]>();
/** Of languages that write no gaps the parts of words. */
const PARTS: (readonly [language: string, parts: readonly string[]])[] = [];
for (const [language, words] of Object.entries(WORDS)) {
  if (TOGETHER.has(language)) PARTS.push([language, words.split(" ")]);
  else
    for (const [word] of plain(words).matchAll(WORD)) {
      const key = word.slice(0, LETTERS);
      BEGINNINGS.set(key, [...(BEGINNINGS.get(key) ?? []), { word, language }]);
    }
}

const BEYOND_ASCII = /[^\p{ASCII}]/u;

/** The languages of which a text may hold a phrase that points at a day; mostly none. Pure. */
export function tellingLanguages(text: string): ReadonlySet<string> {
  const told = new Set<string>();
  for (const word of new Set(plain(text).match(WORD))) {
    // A shorter word has but its whole to tell by.
    for (let at = 0; at === 0 || at <= word.length - LETTERS; at++) {
      for (const known of BEGINNINGS.get(word.slice(at, at + LETTERS)) ?? []) {
        if (word.startsWith(known.word, at)) told.add(known.language);
      }
    }
  }
  if (!BEYOND_ASCII.test(text)) return told;
  for (const [language, parts] of PARTS) if (parts.some((part) => text.includes(part))) told.add(language);
  return told;
}
