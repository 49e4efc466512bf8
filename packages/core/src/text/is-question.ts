/** Whether a text ends with a question mark, of any script that has one of its own. Pure. */
export const isQuestion = (text: string): boolean => /[?？؟]\s*$/u.test(text);
