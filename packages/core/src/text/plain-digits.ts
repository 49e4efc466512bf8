const DIGIT = /\p{Nd}/u;

/**
 * A text, place by place, with the digits of every script as 0 to 9; but for the few whose digits take two places each.
 * Pure.
 */
export const plainDigits = (text: string): string =>
  text.replace(/[^\P{Nd}0-9]/gu, (digit) => (digit.length > 1 ? digit : String(numberIn(digit.charCodeAt(0)))));

/** Each script has its ten digits one behind the other, and nothing that is a digit stands before them. */
function numberIn(code: number): number {
  let value = 0;
  while (DIGIT.test(String.fromCharCode(code - value - 1))) value++;
  return value;
}
