import type { Question, Sample } from "./locomo.ts";
import { stem } from "./stem.ts";

const STOP_WORDS = new Set(
  "a about above after again against all am an and any are as at be because been before being below between both but by can could did do does doing down during each few for from further had has have having he her here hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or other our ours ourselves out over own same she should so some such than that the their theirs them themselves then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your yours yourself yourselves s t d m re ve ll don".split(
    " ",
  ),
);

/** Stemmed content words of a text. */
export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem);

/** Answers of multi-hop and single-hop questions with one to six content words and evidence that can be found. */
export function shortAnswers(sample: Sample): Question[] {
  return sample.questions.filter(({ answer, category, sessions }) => {
    const words = contentWords(answer);
    return (category === 1 || category === 4) && sessions.length > 0 && words.length > 0 && words.length <= 6;
  });
}

/** How many answers stand in full in a text, and of how many. */
export interface Retention {
  kept: number;
  of: number;
}

/** Looks for each short answer in the text that `textFor` gives for its evidence sessions. */
export function answerRetention(sample: Sample, textFor: (sessions: readonly number[]) => string): Retention {
  const retention: Retention = { kept: 0, of: 0 };
  for (const { answer, sessions } of shortAnswers(sample)) {
    const text = new Set(contentWords(textFor(sessions)));
    retention.of++;
    if (contentWords(answer).every((word) => text.has(word))) retention.kept++;
  }
  return retention;
}
