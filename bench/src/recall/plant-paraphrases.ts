import type { Paraphrase } from "./paraphrases.ts";
import type { Said, Story } from "./question-set.ts";

/** A long history in which some questions are answered in other words. */
export interface Planted {
  story: Story;
  /** Messages that were said at least. */
  size: number;
  /** `answer`: the message that holds it; absent where nobody said it. */
  questions: readonly { text: string; answer?: string }[];
}

/**
 * Every other answer, spread evenly among other talk of so many messages, the answers counted: the rest of the questions has
 * none. What stands around an answer is about something else.
 */
export function plantParaphrases(
  id: string,
  pairs: readonly Paraphrase[],
  { talk, size }: { talk: readonly Said[]; size: number },
): Planted {
  const answers = pairs.flatMap(([, content], index) => (index % 2 === 0 ? [{ id: `${id}-${index}`, content }] : []));
  const others = firstMessages(talk, size - answers.length);
  const said: Said[] = [];
  for (const [index, other] of others.entries()) {
    // Each history has conversations of its own.
    const turn = { ...other, conversation: `${id} ${other.conversation}` };
    said.push(turn);
    const from = Math.floor((index * answers.length) / others.length);
    const to = Math.floor(((index + 1) * answers.length) / others.length);
    const { conversation, at } = turn;
    for (const answer of answers.slice(from, to)) {
      said.push({
        conversation,
        turn: answer.id,
        at,
        messages: [{ ...answer, role: "user", createdAt: at }],
      });
    }
  }
  const questions = pairs.map(([text], index) => (index % 2 === 0 ? { text, answer: `${id}-${index}` } : { text }));
  return { story: { id, isTuning: false, said, questions: [] }, size, questions };
}

/** Whole turns from the beginning, until there are so many messages. */
function firstMessages(talk: readonly Said[], most: number): Said[] {
  let count = 0;
  return talk.filter(({ messages }) => {
    const isWanted = count < most;
    if (isWanted) count += messages.length;
    return isWanted;
  });
}

/** What was said in several stories, one after the other, as the talk of one person. */
export const talkOf = (stories: readonly Story[]): Said[] =>
  stories.flatMap(({ id, said }) =>
    said.map(({ conversation, turn, at, messages }) => ({
      conversation: `${id} ${conversation}`,
      turn: `${id} ${turn}`,
      at,
      messages: messages.map((message) => ({ ...message, id: `${id} ${message.id}` })),
    })),
  );
