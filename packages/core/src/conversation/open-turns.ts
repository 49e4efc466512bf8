/** A turn that has begun and not ended, as far as what is remembered meanwhile needs to know it. */
export interface TurnInFlight {
  id: string;
  startedAt: string;
  /** What the person said in it so far. */
  userText(): string;
}

/** Turns under way in this process, by conversation: tools reach theirs through another handle. */
export interface OpenTurns {
  add(conversation: string, turn: TurnInFlight): void;
  remove(conversation: string, turn: string): void;
  of(conversation: string): TurnInFlight[];
}

/** Turns that are never ended are forgotten, oldest first, above this number. */
const MAX_OPEN = 10_000;

export function createOpenTurns(): OpenTurns {
  const turns = new Map<string, TurnInFlight>();
  const key = (conversation: string, turn: string) => JSON.stringify([conversation, turn]);
  const byConversation = new Map<string, Set<string>>();
  const remove = (conversation: string, turn: string): void => {
    turns.delete(key(conversation, turn));
    const open = byConversation.get(conversation);
    open?.delete(turn);
    if (open?.size === 0) byConversation.delete(conversation);
  };
  return {
    add(conversation, turn) {
      turns.set(key(conversation, turn.id), turn);
      byConversation.set(conversation, (byConversation.get(conversation) ?? new Set()).add(turn.id));
      if (turns.size > MAX_OPEN) {
        const [oldest] = turns.keys();
        const [from, id] = JSON.parse(oldest as string) as [string, string];
        remove(from, id);
      }
    },
    remove,
    of: (conversation) =>
      [...(byConversation.get(conversation) ?? [])].flatMap((turn) => turns.get(key(conversation, turn)) ?? []),
  };
}
