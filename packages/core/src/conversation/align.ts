import { canonicalJson } from "../checks/json.ts";
import type { Json } from "../contract/json.ts";
import type { Message, MessageInput, Part } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";

/** A message as it is compared. */
interface Entry {
  id: string | undefined;
  role: string;
  /** What it says: words, else calls and results, else files. With the role it tells whether two are the same. */
  key: string;
  /** Hosts prune such messages on their own: tool traffic, reasoning, system prompts, empty ones. */
  prunable: boolean;
}

/** A stored message with the turn that holds it. */
export interface StoredEntry extends Entry {
  message: Message;
  turn: TurnRow;
}

/** How a host's copy lies over what is stored. */
export interface Alignment {
  /** The host's messages from here on are new. */
  freshFrom: number;
  /** Index of the first stored message behind the last one that the copy holds. */
  storedThrough: number;
  /** Stored index per known host index, as far as it is told. */
  matches: Map<number, number>;
  /** Matched by ids; otherwise by content and position. */
  byId: boolean;
  /** Host index of a user message whose id is known and whose words are others. */
  edited?: number;
  /** Nothing that the copy begins with contradicts what is stored. */
  whole: boolean;
}

/** The text without space around it. `trim` costs more than a look at both ends, which most texts end with. */
function trimmed(text: string): string {
  const isInk = (unit: number): boolean => unit > 0x20 && unit < 0x7f;
  return isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1)) ? text : text.trim();
}

/** Words, calls and results of parts; times, files' places and a host's own form don't count. */
function entryOf(message: { id?: string | undefined; role: string; parts: readonly Part[] }): Entry {
  const { id, role, parts } = message;
  const only = parts.length === 1 ? parts[0] : undefined;
  // One text is by far the most frequent, and every turn compares a whole window of them.
  if (only?.type === "text" && role !== "system") {
    const text = trimmed(only.text);
    if (text !== "") return { id, role, key: text, prunable: false };
  }
  const words: string[] = [];
  const tools: string[] = [];
  const files: string[] = [];
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() !== "") words.push(part.text.trim());
    else if (part.type === "tool-call") tools.push(`call ${part.callId} ${part.tool} ${canonicalJson(part.input)}`);
    // Parts were checked to be JSON as they came in.
    else if (part.type === "tool-result")
      tools.push(`result ${part.callId} ${canonicalJson(part.output as unknown as Json)}`);
    else if (part.type === "approval") tools.push(`approval ${part.callId} ${part.state}`);
    else if (part.type === "file") files.push(`file ${part.mediaType}`);
  }
  const worded = words.length > 0 && role !== "system";
  const said = worded ? words : [...tools, ...files];
  return {
    id,
    role,
    key: said.join("\n"),
    prunable: role === "system" || (!worded && (files.length === 0 || role !== "user")),
  };
}

const isSame = (left: Entry | undefined, right: Entry | undefined): boolean =>
  left?.key === right?.key && left?.role === right?.role;

/** The messages of stored turns, as they are compared. */
export function storedEntries(turns: readonly TurnRow[]): StoredEntry[] {
  const entries: StoredEntry[] = [];
  for (const turn of turns) {
    for (const message of turn.messages) {
      const { id, role, key, prunable } = entryOf(message);
      entries.push({ id, role, key, prunable, message, turn });
    }
  }
  return entries;
}

const partsOf = (input: MessageInput): readonly Part[] => input.parts ?? [{ type: "text", text: input.content ?? "" }];

/** Says what of a host's copy is known: by ids where both sides have them, and around those by content. Pure. */
export function align(stored: readonly StoredEntry[], host: readonly MessageInput[]): Alignment {
  const entries = host.map((input) => entryOf({ id: input.id, role: input.role, parts: partsOf(input) }));
  return alignById(stored, entries) ?? alignByContent(stored, entries);
}

function alignById(stored: readonly StoredEntry[], host: readonly Entry[]): Alignment | null {
  if (host.every((entry) => entry.id === undefined)) return null;
  const places = new Map(stored.map((entry, index) => [entry.id, index]));
  const matches = new Map<number, number>();
  for (let index = 0; index < host.length; index++) {
    const entry = host[index] as Entry;
    const place = entry.id === undefined ? undefined : places.get(entry.id);
    if (place === undefined) continue;
    if (entry.role === "user" && !isSame(entry, stored[place])) {
      // What the person said was changed, so everything behind it belongs to another past.
      return { freshFrom: index, storedThrough: place, matches, byId: true, edited: index, whole: true };
    }
    matches.set(index, place);
  }
  const last = [...matches.keys()].at(-1);
  if (last === undefined) return null;
  // What stands before a known message is never new; what follows may be known by content: clients that give the
  // answers ids of their own.
  let freshFrom = last + 1;
  let storedThrough = (matches.get(last) as number) + 1;
  for (;;) {
    const next = nextMatch(stored, storedThrough, host[freshFrom]);
    if (next === null) break;
    matches.set(freshFrom, next);
    freshFrom++;
    storedThrough = next + 1;
  }
  return { freshFrom, storedThrough, matches, byId: true, whole: true };
}

/** The stored message that continues the match, past such as the host may have pruned; `null` where there is none. */
function nextMatch(stored: readonly StoredEntry[], from: number, entry: Entry | undefined): number | null {
  if (entry === undefined) return null;
  for (let index = from; index < stored.length; index++) {
    const candidate = stored[index] as StoredEntry;
    if (isSame(candidate, entry)) return index;
    if (!candidate.prunable) return null;
  }
  return null;
}

const NOTHING: Alignment = {
  freshFrom: 0,
  storedThrough: 0,
  matches: new Map(),
  byId: false,
  whole: false,
};

/**
 * By content the copy is known up to a message where everything before it matches too, back to where the copy or what
 * is stored begins. One match says too little ("yes" is said often): it takes two, or the whole of what is stored. A
 * copy that reaches the newest stored message is preferred, then the longer match, then the longer copy.
 */
function alignByContent(stored: readonly StoredEntry[], host: readonly Entry[]): Alignment {
  let best: { rank: number; alignment: Alignment } | null = null;
  for (let end = host.length; end > 0; end--) {
    for (let through = stored.length; through > 0; through--) {
      if (!isSame(host[end - 1], stored[through - 1])) continue;
      const walked = walkBack(stored, through, host, end);
      if (walked === null) continue;
      const rest = stored.slice(through);
      const reachesEnd = rest.every((entry) => entry.prunable);
      const rank = (reachesEnd ? 1_000_000 : 0) + walked.matches.size;
      if (best !== null && rank <= best.rank) continue;
      best = {
        rank,
        alignment: { ...NOTHING, freshFrom: end, storedThrough: through, matches: walked.matches, whole: walked.whole },
      };
    }
  }
  return best?.alignment ?? NOTHING;
}

/** A message at the head of the copy that stands for what the host took out: its own summary. */
const MAX_FOREIGN_HEAD = 1;

function walkBack(
  stored: readonly StoredEntry[],
  through: number,
  host: readonly Entry[],
  end: number,
): { matches: Map<number, number>; whole: boolean } | null {
  const matches = new Map<number, number>();
  let [at, place] = [end - 1, through - 1];
  while (at >= 0 && place >= 0) {
    const [own, theirs] = [host[at] as Entry, stored[place] as StoredEntry];
    if (isSame(own, theirs)) {
      matches.set(at--, place--);
    } else if (theirs.prunable) place--;
    else if (own.prunable) at--;
    else break;
  }
  const mismatch = at >= 0 && place >= 0;
  if (mismatch && at + 1 > MAX_FOREIGN_HEAD) return null;
  const everything = !mismatch && matches.size === stored.length && matches.size === end && end < host.length;
  if (matches.size < 2 && !everything) return null;
  return { matches, whole: !mismatch };
}
