/**
 * Numbers from two on in words, of languages that write words apart. "One" is an article in most of them, and what is a
 * common word of another language ("once", "on", "sex") is left out.
 */
const NUMBERS: readonly (readonly [first: number, step: number, words: string])[] = [
  [
    2,
    1,
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen",
  ],
  [19, 1, "nineteen twenty"],
  [30, 10, "thirty forty fifty sixty seventy eighty ninety"],
  [12, 1, "dozen"],
  [
    2,
    1,
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn",
  ],
  [19, 1, "neunzehn zwanzig"],
  [30, 10, "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"],
  [12, 1, "dutzend"],
  [2, 1, "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"],
  [20, 10, "vingt trente quarante cinquante soixante"],
  [12, 1, "douzaine"],
  [2, 1, "dos tres cuatro cinco seis siete ocho nueve diez"],
  [12, 1, "doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte"],
  [30, 10, "treinta cuarenta cincuenta sesenta setenta ochenta noventa"],
  [12, 1, "docena"],
  [2, 1, "dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito"],
  [2, 1, "duas"],
  [20, 10, "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"],
  [2, 1, "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"],
  [20, 10, "venti trenta quaranta cinquanta sessanta settanta ottanta novanta"],
  [2, 1, "twee drie vier vijf zes zeven acht negen tien elf twaalf"],
  [2, 1, "två tre fyra fem"],
  [7, 1, "sju åtta nio tio elva tolv"],
  [2, 1, "dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć"],
  [2, 1, "два три четыре пять шесть семь восемь девять десять"],
  [2, 1, "две"],
  [2, 1, "iki üç dört beş altı yedi sekiz dokuz"],
];

/** Sunday first, in languages that write words apart. */
const WEEKDAYS: readonly string[] = [
  "sunday monday tuesday wednesday thursday friday saturday",
  "sundays mondays tuesdays wednesdays thursdays fridays saturdays",
  "sonntag montag dienstag mittwoch donnerstag freitag samstag",
  "sonntags montags dienstags mittwochs donnerstags freitags samstags",
  "dimanche lundi mardi mercredi jeudi vendredi samedi",
  "domingo lunes martes miércoles jueves viernes sábado",
  "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
  "domenica lunedì martedì mercoledì giovedì venerdì sabato",
  "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
  "söndag måndag tisdag onsdag torsdag fredag lördag",
  "niedziela poniedziałek wtorek środa czwartek piątek sobota",
  "воскресенье понедельник вторник среда четверг пятница суббота",
  "pazar pazartesi salı çarşamba perşembe cuma cumartesi",
];

const NUMBER_OF: ReadonlyMap<string, number> = new Map(
  NUMBERS.flatMap(([first, step, words]) =>
    words.split(" ").map((word, index): [string, number] => [word, first + step * index]),
  ),
);
const WEEKDAY_OF: ReadonlyMap<string, number> = new Map(
  WEEKDAYS.flatMap((names) => names.split(" ").map((name, day): [string, number] => [name, day])),
);

const WORDS = /\p{L}+(?:-feira)?/gu;
const RUN = /\p{L}+(?:-\p{L}+)*/gu;

/** A text with its numbers in digits: "three days" is "3 days", "twenty-five" is "25". Pure. */
export function withDigits(text: string): string {
  return text.normalize("NFC").replace(RUN, (run) => {
    const numbers = run.split("-").map((word) => NUMBER_OF.get(word.toLowerCase()));
    // "Twenty-five" is a number, "four-legged" isn't.
    return numbers.includes(undefined) ? run : String(numbers.reduce<number>((sum, number) => sum + (number ?? 0), 0));
  });
}

/** The day of the week that a word names, 0: Sunday. Pure. */
export const weekdayOf = (word: string): number | undefined => WEEKDAY_OF.get(word.normalize("NFC").toLowerCase());

/** The days of the week that a text names, 0: Sunday. Pure. */
export const weekdaysIn = (text: string): number[] =>
  (text.normalize("NFC").match(WORDS) ?? []).flatMap((word) => weekdayOf(word) ?? []);
