import { styleText } from "node:util";

/** No line of the demo is longer than this. */
export const WIDTH = 100;

/** Styles are left out where the output is no terminal or `NO_COLOR` is set. */
export const bold = (text: string): string => styleText("bold", text);
export const dim = (text: string): string => styleText("dim", text);
export const green = (text: string): string => styleText("green", text);
export const red = (text: string): string => styleText("red", text);
export const cyan = (text: string): string => styleText("cyan", text);

/** One or more lines of output. */
export const say = (text = ""): void => {
  process.stdout.write(`${text}\n`);
};

/** A title with a line to the right of it. */
export const heading = (text: string): string =>
  `\n${bold(`── ${text} ${"─".repeat(Math.max(3, WIDTH - 4 - text.length))}`)}`;

/** Every line moved to the right. */
export const indented = (text: string, spaces: number): string => text.replaceAll(/^/gm, " ".repeat(spaces));

/** Broken between words so that it fits behind `spaces`; every line but the first is moved to the right by them. */
export function wrapped(text: string, spaces: number): string {
  const room = WIDTH - spaces;
  const lines = text.split("\n").flatMap((line) => {
    const broken = [""];
    // A word with the white space before it.
    for (const word of line.match(/^\s*\S*|\s+\S+/g) ?? []) {
      const longer = `${broken.at(-1)}${word}`;
      if (longer.length <= room || longer === word) broken[broken.length - 1] = longer;
      else broken.push(word.trimStart());
    }
    return broken;
  });
  return lines.join(`\n${" ".repeat(spaces)}`);
}

/** Control characters of stored text must not steer the terminal. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "�");

/** A number with its noun. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
