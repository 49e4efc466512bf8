import type { GovernedMemory, GovernedTurn } from "./governed-memory.ts";

/** Something that a memory must do, or must not. */
export interface GovernanceCheck {
  id: string;
  kind: "obligation" | "prohibition";
  /** One sentence about behaviour. */
  title: string;
  /** Whether the memory does right. A throw counts as wrong. */
  holds(memory: GovernedMemory): Promise<boolean>;
}

/** A turn of Ana's in a conversation, with what is given besides. */
export function said(user: string, more: Partial<GovernedTurn> = {}): GovernedTurn {
  return {
    id: crypto.randomUUID(),
    conversation: "monday",
    subject: "ana",
    at: "2026-03-02T10:00:00.000Z",
    user,
    assistant: "I see.",
    proposes: [],
    ...more,
  };
}

export const has = (texts: readonly string[], words: string): boolean =>
  texts.some((text) => text.toLowerCase().includes(words.toLowerCase()));
