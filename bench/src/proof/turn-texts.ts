export const PROOF_AGENT = "proof";

/** What a turn says: long enough to fill more than one page of the file. */
export const turnTexts = (id: string): [question: string, answer: string] => [
  `question ${id} `.repeat(200),
  `answer ${id} `.repeat(200),
];
