import type { UpdateChat } from "./recording.ts";

/**
 * Things that are alike and not the same, said one after the other, with a question about the first: the second must neither
 * take its place nor stand ahead of it.
 */
const TRAPS: readonly (readonly [first: string, second: string, question: string])[] = [
  ["My grocery budget is $500 a month", "My gift budget is now $450 a month", "What is my grocery budget a month?"],
  ["My son Tom is 12 years old", "My daughter Ida is now 9 years old", "How many years old is my son?"],
  ["I ran 5 km in the park on Monday", "I ran 8 km in the park on Friday", "How far did I run on Monday?"],
  ["My flight to Oslo leaves on March 3", "My new flight to Rome leaves on March 9", "When leaves my flight to Oslo?"],
  [
    "The dentist's appointment is on May 4 at 3 PM",
    "The appointment at the hairdresser's was moved to May 6 at 4 PM",
    "When is the appointment at the dentist's?",
  ],
  [
    "My savings account has $2,000 in it",
    "My checking account now has $900 in it",
    "How much is in my savings account?",
  ],
  ["I paid $40 for the blue lamp", "I paid $55 for the new chair", "What have I paid for the blue lamp?"],
  ["Anna's birthday is on June 2", "Paul's birthday is on June 20", "When is Anna's birthday?"],
  ["The kitchen has 4 chairs", "The garden now has 6 chairs", "How many chairs has the kitchen?"],
  [
    "I finished chapter 3 of the biography",
    "I recently finished chapter 7 of the thriller",
    "Which chapter of the biography have I finished?",
  ],
  [
    "My French course has 20 lessons",
    "My Spanish course was extended to 30 lessons",
    "How many lessons has the French course?",
  ],
  [
    "The red team won 12 games this season",
    "The green team has now won 15 games",
    "How many games has the red team won?",
  ],
  ["I lend out 3 books a week", "I recently bought 5 books", "How many books do I lend out a week?"],
  ["My train ticket cost 19 euros", "My bus ticket now costs 4 euros", "What did my train ticket cost?"],
  [
    "Test coverage of the parser is 80%",
    "Test coverage of the printer improved to 91%",
    "What is the test coverage of the parser?",
  ],
  [
    "The lease of the flat ends in 2027",
    "The lease of the car was extended to 2028",
    "When does the lease of the flat end?",
  ],
  ["My daughter Mia is seven years old", "My son Leo is now four years old", "How many years old is my daughter Mia?"],
  ["Our red car has 80,000 miles on it", "Our van now has 95,000 miles on it", "How many miles has our red car?"],
  [
    "The trip to Lisbon is from June 3 to June 10",
    "The trip to Vienna is from July 5 to July 9",
    "When is the trip to Lisbon?",
  ],
  ["My brother lives in Hamburg", "My sister lives in Madrid now", "Where does my brother live?"],
  [
    "Nina works at the bakery on Monday",
    "Olaf works at the bakery on Friday now",
    "On which day does Nina work at the bakery?",
  ],
  ["I run three days a week", "I swim two days a week now", "How many days a week do I run?"],
  ["My bedroom has two windows", "My office now has four windows", "How many windows has my bedroom?"],
  ["The yoga class is on Tuesday", "The dance class moved to Thursday", "On which day is the yoga class?"],
  [
    "The web app runs on version 2.3",
    "The phone app now runs on version 3.1",
    "Which version does the web app run on?",
  ],
  ["Meine Tochter ist zwölf Jahre alt", "Mein Sohn ist jetzt neun Jahre alt", "Wie viele Jahre alt ist meine Tochter?"],
  ["Der Chor probt am Montag", "Die Band probt jetzt am Freitag", "An welchem Tag probt der Chor?"],
  ["Mon frère a deux chiens", "Ma voisine a trois chiens maintenant", "Combien de chiens a mon frère ?"],
  ["La cuisine a quatre chaises", "Le jardin a maintenant six chaises", "Combien de chaises a la cuisine ?"],
  ["Mi hermano vive en Sevilla", "Mi prima vive ahora en Bilbao", "¿Dónde vive mi hermano?"],
  ["La clase de baile es el lunes", "La clase de inglés es ahora el jueves", "¿Qué día es la clase de baile?"],
  ["Il corso di nuoto è il mercoledì", "Il corso di cucina è ora il venerdì", "In che giorno è il corso di nuoto?"],
];

/** Things said anew with another value, in plain words, with a question: the second must stand ahead of the first. */
const CHANGES: readonly (readonly [first: string, second: string, question: string])[] = [
  ["Gym three days a week", "I go to the gym five days a week, mostly before work", "How many days a week is the gym?"],
  [
    "Piano lesson on Tuesday",
    "The piano lesson has moved from Tuesday to Friday for the summer",
    "When is the piano lesson?",
  ],
  ["Works at Siemens", "Now works at Bosch", "Where does the person work?"],
  [
    "A dozen hens in the yard",
    "There are only nine hens in the yard after the storm",
    "How many hens are in the yard?",
  ],
  [
    "The app runs on version 2.3.1",
    "Since the last release the app runs on version 2.4.0",
    "Which version does the app run on?",
  ],
  [
    "Zwei Katzen zu Hause",
    "Bei uns zu Hause wohnen nun drei Katzen und fressen viel",
    "Wie viele Katzen sind zu Hause?",
  ],
  [
    "Deutschkurs am Montag",
    "Der Deutschkurs findet ab jetzt immer am Donnerstag statt",
    "An welchem Tag ist der Deutschkurs?",
  ],
  ["Wohnt in Köln", "Wohnt jetzt in Leipzig", "Wo wohnt die Person, in welcher Stadt?"],
  ["Deux chats à la maison", "Il y a maintenant trois chats chez nous à la maison", "Combien de chats à la maison ?"],
  ["Marché le mardi", "Le marché du quartier a lieu le samedi maintenant", "Quel jour est le marché ?"],
  ["Habite à Lyon", "Habite maintenant à Nantes", "Où habite la personne ?"],
  ["Corro cuatro días", "Desde este mes corro seis días y descanso uno", "¿Cuántos días corro?"],
  [
    "Clase de baile el lunes",
    "La clase de baile pasó del lunes al jueves por la noche",
    "¿Qué día es la clase de baile?",
  ],
  ["Vive en Sevilla", "Ahora vive en Bilbao", "¿Dónde vive la persona?"],
  [
    "Lavoro cinque giorni alla settimana",
    "Da questo mese lavoro solo quattro giorni alla settimana",
    "Quanti giorni lavoro alla settimana?",
  ],
  [
    "Corso di nuoto il mercoledì",
    "Il corso di nuoto adesso si tiene il venerdì sera",
    "In che giorno è il corso di nuoto?",
  ],
];

/** A conversation of two turns of a person of its own. */
const chatOf = (
  id: string,
  pair: readonly string[],
  asked: Pick<UpdateChat, "updates" | "parallels" | "earlier">,
): UpdateChat => ({
  ...asked,
  id,
  isTuning: false,
  said: pair.map((content, turn) => {
    const at = `2026-01-0${turn + 1}T09:00:00.000Z`;
    return {
      conversation: id,
      turn: `t${turn}`,
      at,
      messages: [{ id: `m${turn}`, role: "user" as const, content, createdAt: at }],
    };
  }),
  controls: [...pair],
  extractions: pair.map((value) => ({
    said: [value],
    answer: JSON.stringify({ facts: [{ value, quote: value, confidence: 1 }] }),
  })),
});

/** What is alike and not the same. */
export const trapChats = (): UpdateChat[] =>
  TRAPS.map(([meant, other, question], index) =>
    chatOf(`trap-${index + 1}`, [meant, other], { updates: [], parallels: [{ question, meant, other }], earlier: [] }),
  );

/** What is said anew. */
export const changeChats = (): UpdateChat[] =>
  CHANGES.map(([before, after, question], index) =>
    chatOf(`change-${index + 1}`, [before, after], {
      updates: [{ question, before, after }],
      parallels: [],
      earlier: [],
    }),
  );
