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
  const byConversation = new Map<string, Map<string, TurnInFlight>>();
  /** All of them, oldest first. */
  const all = new Map<TurnInFlight, string>();
  const remove = (conversation: string, id: string): void => {
    const open = byConversation.get(conversation);
    const turn = open?.get(id);
    if (open === undefined || turn === undefined) return;
    all.delete(turn);
    open.delete(id);
    if (open.size === 0) byConversation.delete(conversation);
  };
  return {
    add(conversation, turn) {
      remove(conversation, turn.id);
      const open = byConversation.get(conversation) ?? new Map<string, TurnInFlight>();
      byConversation.set(conversation, open.set(turn.id, turn));
      all.set(turn, conversation);
      if (all.size <= MAX_OPEN) return;
      const [[oldest, from] = []] = all;
      if (oldest !== undefined && from !== undefined) remove(from, oldest.id);
    },
    remove,
    of: (conversation) => [...(byConversation.get(conversation)?.values() ?? [])],
  };
}

/** Where a handle tells the library's own tools which turn is under way; not part of its public face. */
const TURN = Symbol("turn under way");

/** Members of a handle that say which turn is under way. */
export const tellingTurn = (turn: () => string | undefined): object => ({ [TURN]: turn });

/** Id of the turn that a conversation's tools are called in, where that is certain. */
export const turnUnderWay = (conversation: object): string | undefined =>
  (conversation as { [TURN]?: () => string | undefined })[TURN]?.();
