/** A turn that has begun and not ended, as far as what is remembered meanwhile needs to know it. */
export interface TurnInFlight {
  id: string;
  startedAt: string;
  /** What the person said in it so far. */
  userText(): string;
  /** Files it, and what its handle writes from here on, under another subject. */
  rebind(subject: string): void;
}

/** Turns under way in this process, by conversation: tools reach theirs through another handle. */
export interface OpenTurns {
  /** A turn is being opened. */
  opening(work: Promise<unknown>): void;
  /** Waits for turns that are being opened. True while any is under way. */
  areUnderWay(): Promise<boolean>;
  add(conversation: string, turn: TurnInFlight): void;
  remove(conversation: string, turn: string): void;
  of(conversation: string): TurnInFlight[];
}

/** Turns that are never ended are forgotten, oldest first, above this number. */
const MAX_OPEN = 10_000;

/** A turn's place in both maps. Emptied as it is removed: a map's outgrown tables keep what was in them for a while. */
interface Place {
  conversation: string;
  turn: TurnInFlight | undefined;
}

export function createOpenTurns(): OpenTurns {
  const byConversation = new Map<string, Map<string, Place>>();
  /** All of them, oldest first. */
  const all = new Set<Place>();
  const remove = (conversation: string, id: string): void => {
    const open = byConversation.get(conversation);
    const place = open?.get(id);
    if (open === undefined || place === undefined) return;
    place.turn = undefined;
    all.delete(place);
    open.delete(id);
    if (open.size === 0) byConversation.delete(conversation);
  };
  const opening = new Set<Promise<unknown>>();
  return {
    opening(work) {
      opening.add(work);
      const done = () => void opening.delete(work);
      work.then(done, done);
    },
    async areUnderWay() {
      await Promise.allSettled(opening);
      return all.size > 0;
    },
    add(conversation, turn) {
      remove(conversation, turn.id);
      const open = byConversation.get(conversation) ?? new Map<string, Place>();
      const place: Place = { conversation, turn };
      byConversation.set(conversation, open.set(turn.id, place));
      all.add(place);
      if (all.size <= MAX_OPEN) return;
      const [oldest] = all;
      if (oldest?.turn !== undefined) remove(oldest.conversation, oldest.turn.id);
    },
    remove,
    of: (conversation) => [...(byConversation.get(conversation)?.values() ?? [])].flatMap(({ turn }) => turn ?? []),
  };
}

/** Where a handle tells the library's own tools which turn is under way; not part of its public face. */
const TURN = Symbol("turn under way");

/** Members of a handle that say which turn is under way. */
export const tellingTurn = (turn: () => string | undefined): object => ({ [TURN]: turn });

/** Id of the turn that a conversation's tools are called in, where that is certain. */
export const turnUnderWay = (conversation: object): string | undefined =>
  (conversation as { [TURN]?: () => string | undefined })[TURN]?.();
