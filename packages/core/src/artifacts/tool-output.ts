import type { Part, ToolResultPart } from "../contract/message.ts";

/** The parts that a tool answered with; `null` where its output is data. */
export const outputParts = (part: ToolResultPart): Part[] | null =>
  // What says that it is parts was checked as the message came in.
  part.outputIs === "parts" ? (part.output as Part[]) : null;

/** A result whose output is one text; the host's own form of the part would bring the old output back. */
export function withText(part: ToolResultPart, output: string): ToolResultPart {
  const { native: _native, outputIs: _outputIs, ...rest } = part;
  return { ...rest, output };
}

/** A result whose output is these parts. */
export function withParts(part: ToolResultPart, output: Part[]): ToolResultPart {
  const { native: _native, ...rest } = part;
  return { ...rest, output, outputIs: "parts" };
}
