import type { Fact } from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";
import type { Message, Turn } from "../contract/message.ts";
import type { DistillerInput } from "../contract/models.ts";
import { messageText } from "../conversation/message-text.ts";
import { fitPieces } from "../models/fit-pieces.ts";
import type { SummaryPiece } from "../models/summary-pieces.ts";
import { escapeLine, escapeStored } from "../prompt/escape.ts";
import { cutAtGrapheme } from "../text/graphemes.ts";
import { estimateTokens } from "../text/tokens.ts";
import { localTime } from "./clock-time.ts";
import { distillerInstructions } from "./distiller-instructions.ts";
import { isPersons } from "./evidence.ts";
import { eventLabel, knownLabel, turnLabel } from "./labels.ts";

/** What a model is asked to draw facts from. */
export interface DistillerPrompt {
  instructions: string;
  text: string;
  /** Tokens after which the answer may be cut off. */
  maxOutputTokens: number;
}

const MAX_OUTPUT_TOKENS = 4_000;
const MIN_TEXT_TOKENS = 500;
/** Tags around the sections, and the last line. */
const FRAME_TOKENS = 100;
/** Characters of what is known that are shown of each fact: fewer where they would crowd out what was said. */
const KNOWN_CHARS = [300, 120, 40] as const;
/** What the assistant said only explains the person's words: its beginning and end do. In UTF-16 code units. */
const MAX_ASSISTANT_CHARS = 1_500;

/**
 * The prompt for one call of a distiller. Shown are the person's and the assistant's words only: what tools answered, what
 * the memory itself put in or answered, and reasoning are no source of facts. Everything is escaped, and long texts are
 * shortened to `maxInputTokens`.
 */
export function distillerPrompt(input: DistillerInput, maxInputTokens: number): DistillerPrompt {
  const instructions = distillerInstructions(input.instructions);
  const zone = input.timeZone ?? "UTC";
  const free = maxInputTokens - estimateTokens(instructions) - FRAME_TOKENS;
  const known = knownWithin(input.known, free / 2);
  const room = free - estimateTokens(known.join("\n"));
  const texts = [...input.recent, ...input.turns].flatMap(spokenIn);
  const pieces: SummaryPiece[] = [...texts, ...input.events.map(({ text }) => piece("user", text))];
  const fitted = fitPieces(pieces, Math.max(MIN_TEXT_TOKENS, room)).map(({ who, text }) => ({ role: who.role, text }));
  let next = 0;
  const lines = (turn: Turn): string =>
    spokenIn(turn)
      .map(() => {
        const { role, text } = fitted[next++] ?? { role: "user", text: "" };
        return `<${role}>${escapeStored(text)}</${role}>`;
      })
      .join("\n");
  const sections: string[] = [];
  if (known.length > 0) sections.push(`<known>\n${known.join("\n")}\n</known>`);
  if (input.recent.length > 0) {
    sections.push(`<earlier-for-context-only>\n${input.recent.map(lines).join("\n")}\n</earlier-for-context-only>`);
  }
  for (const [index, turn] of input.turns.entries()) {
    const time = localTime(turn.startedAt, zone);
    sections.push(`<turn label="${turnLabel(index)}" time="${time}">\n${lines(turn)}\n</turn>`);
  }
  for (const [index, event] of input.events.entries()) {
    const source = escapeLine(event.source).replaceAll('"', "&quot;");
    const { text } = fitted[next++] ?? { text: "" };
    const time = localTime(event.at, zone);
    sections.push(
      `<event label="${eventLabel(index)}" source="${source}" time="${time}">\n${escapeStored(text)}\n</event>`,
    );
  }
  return {
    instructions,
    text: `${sections.join("\n")}\n\nWrite the JSON object.`,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
}

/** Lines of what is known, in at most `maxTokens`: shortened first, then the last ones left out. */
function knownWithin(known: readonly Fact[], maxTokens: number): string[] {
  const fits = (lines: readonly string[]): boolean => estimateTokens(lines.join("\n")) <= maxTokens;
  let lines: string[] = [];
  for (const chars of KNOWN_CHARS) {
    lines = known.map((fact, index) => knownLine(fact, index, chars));
    if (fits(lines)) return lines;
  }
  while (lines.length > 0 && !fits(lines)) lines.pop();
  return lines;
}

function knownLine(fact: Fact, index: number, chars: number): string {
  const name = fact.key ?? fact.topic;
  const value = escapeLine(cutAtGrapheme(show(fact.value), chars));
  return `<fact label="${knownLabel(index)}">${name === undefined ? "" : `${escapeLine(name)}: `}${value}</fact>`;
}

const show = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

const piece = (role: "user" | "assistant", text: string): SummaryPiece => ({
  who: { role },
  at: "",
  text: role === "assistant" && text.length > MAX_ASSISTANT_CHARS ? shortened(text) : text,
});

function shortened(text: string): string {
  const half = MAX_ASSISTANT_CHARS / 2;
  return `${cutAtGrapheme(text, half)} […] ${text.slice(-half).toWellFormed()}`;
}

/** What was said in a turn, by the person and the assistant. */
function spokenIn({ messages }: Turn): SummaryPiece[] {
  return messages.flatMap((message) => {
    const text = messageText(message).trim();
    if (text === "" || !isSpoken(message)) return [];
    return [piece(message.role === "user" ? "user" : "assistant", text)];
  });
}

const isSpoken = (message: Message): boolean =>
  message.role === "user" ? isPersons(message) : message.role === "assistant" && message.origin !== "memory";
