/** The first digit of scripts with digits of their own. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0xff10] as const;

/** A text, place by place, with the digits of every script as 0 to 9. Pure. */
export const plainDigits = (text: string): string =>
  text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
