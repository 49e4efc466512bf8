import type { UpdateChat } from "./recording.ts";

/** Things that are alike and not the same, each pair said one after the other; the second must leave the first alone. */
const TRAPS: readonly (readonly [string, string])[] = [
  ["My grocery budget is $500 a month", "My gift budget is now $450 a month"],
  ["My son Tom is 12 years old", "My daughter Ida is now 9 years old"],
  ["I ran 5 km in the park on Monday", "I ran 8 km in the park on Friday"],
  ["My flight to Oslo leaves on March 3", "My new flight to Rome leaves on March 9"],
  ["The dentist's appointment is on May 4 at 3 PM", "The appointment at the hairdresser's was moved to May 6 at 4 PM"],
  ["My savings account has $2,000 in it", "My checking account now has $900 in it"],
  ["I paid $40 for the blue lamp", "I paid $55 for the new chair"],
  ["Anna's birthday is on June 2", "Paul's birthday is on June 20"],
  ["The kitchen has 4 chairs", "The garden now has 6 chairs"],
  ["I finished chapter 3 of the biography", "I recently finished chapter 7 of the thriller"],
  ["My French course has 20 lessons", "My Spanish course was extended to 30 lessons"],
  ["The red team won 12 games this season", "The green team has now won 15 games"],
  ["I lend out 3 books a week", "I recently bought 5 books"],
  ["My train ticket cost 19 euros", "My bus ticket now costs 4 euros"],
  ["Test coverage of the parser is 80%", "Test coverage of the printer improved to 91%"],
  ["The lease of the flat ends in 2027", "The lease of the car was extended to 2028"],
];

/** The traps, each a conversation's two turns of a person of its own. */
export const trapChats = (): UpdateChat[] =>
  TRAPS.map((pair, index) => ({
    id: `trap-${index + 1}`,
    isTuning: false,
    said: pair.map((content, turn) => {
      const at = `2026-01-0${turn + 1}T09:00:00.000Z`;
      return {
        conversation: `trap-${index + 1}`,
        turn: `t${turn}`,
        at,
        messages: [{ id: `m${turn}`, role: "user" as const, content, createdAt: at }],
      };
    }),
    updates: [],
    controls: [...pair],
    extractions: pair.map((value) => ({
      said: [value],
      answer: JSON.stringify({ facts: [{ value, quote: value, confidence: 1 }] }),
    })),
  }));
