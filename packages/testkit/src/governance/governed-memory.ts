/** A fact that the scripted model proposes in a turn. */
export interface Proposal {
  /** What kind of thing it is, one value at a time; memories without keys may put it before the text. */
  key: string;
  text: string;
  /** The words the model claims it rests on. */
  quote: string;
  type?: "fact" | "preference" | "instruction";
}

/** One exchange, with what the scripted model makes of it. */
export interface GovernedTurn {
  id: string;
  conversation: string;
  subject: string;
  /** ISO 8601. */
  at: string;
  /** What the person said. */
  user: string;
  /** What the assistant answered. */
  assistant: string;
  /** What a tool answered in between. */
  tool?: { name: string; output: string };
  /** What the model proposes to remember. */
  proposes: readonly Proposal[];
  /** The model's answer is cut off behind its first proposal. */
  isBroken?: boolean;
}

/**
 * A memory as the governance suite sees it. Each does with the model's proposals whatever it does with its model's output.
 * What a memory can't do it answers with `null`, which meets no obligation.
 */
export interface GovernedMemory {
  /** Takes an exchange in, and waits until all that it makes of it is done. Rejects where the memory fails. */
  turn(turn: GovernedTurn): Promise<void>;
  /** What it holds to be true of a person, a text each. */
  known(subject: string): Promise<readonly string[]>;
  /** What the next prompt of a conversation is given of the memory; the empty text where there is nothing. */
  prompt(subject: string, conversation: string): Promise<string>;
  /** Forgets what it knows under a key, or by its text; answers how many things went. */
  forget(subject: string, what: { key: string; text: string }): Promise<number | null>;
  /** Removes everything of a person; answers how many things went. */
  erase(subject: string): Promise<number | null>;
  /** Values that were true before, a text each. */
  history(subject: string): Promise<readonly string[] | null>;
  /** The words that made it believe something, and the id of the turn they stand in. */
  why(subject: string, text: string): Promise<{ turn?: string; quote?: string } | null>;
  /** Takes one thing back that was remembered by itself; what it had replaced is true again. */
  undo(subject: string, text: string): Promise<boolean | null>;
  /** Everything of a person, as a text that another memory could read. */
  export(subject: string): Promise<string | null>;
  /** Lets go of what it holds. Called once, after the check. */
  close(): Promise<void>;
}

/** Makes a fresh, empty memory. */
export type MakeGovernedMemory = () => Promise<GovernedMemory>;
