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

/** Messages of either side that are compared by content; what comes before them is known where they are. */
const MAX_COMPARED = 2_000;

/**
 * By content the copy is known up to a message where everything before it matches too, back to where the copy or what
 * is stored begins. One match says too little ("yes" is said often): it takes two, the whole of what is stored, or a call
 * that waits for the result which the copy brings. A
 * copy that reaches the newest stored message is preferred, then the longer match, then the longer copy.
 */
function alignByContent(allStored: readonly StoredEntry[], allHost: readonly Entry[]): Alignment {
  const [storedFrom, hostFrom] = [allStored, allHost].map((all) => Math.max(0, all.length - MAX_COMPARED)) as [
    number,
    number,
  ];
  const stored = allStored.slice(storedFrom);
  const host = allHost.slice(hostFrom);
  const best = bestEnd(stored, host);
  if (best === null) return NOTHING;
  const walked = walkBack(stored, best.through, host, best.end);
  return {
    ...NOTHING,
    freshFrom: hostFrom + best.end,
    storedThrough: storedFrom + best.through,
    matches: new Map([...walked.matches].map(([at, place]) => [hostFrom + at, storedFrom + place])),
    whole: walked.whole,
  };
}

/** More than any match is long. */
const REACHES_END = 1_000_000;

/** A message at the head of the copy that stands for what the host took out: its own summary. */
const MAX_FOREIGN_HEAD = 1;

/** As many pairs are looked at sooner than their messages are told apart. */
const FEW_PAIRS = 256;

/**
 * Tells whether a host message and a stored one are the same; `null` where none are. Of many, equal ones get one number
 * each beforehand.
 */
function pairsOf(
  stored: readonly StoredEntry[],
  host: readonly Entry[],
): ((hostIndex: number, storedIndex: number) => boolean) | null {
  // Most hosts hand over the new message alone: hashing a window of texts to look for it would cost more than looking.
  if (stored.length * host.length <= FEW_PAIRS) {
    const known = host.some((own) => stored.some((theirs) => isSame(own, theirs)));
    return known ? (own, theirs) => isSame(host[own], stored[theirs]) : null;
  }
  const names = new Map<string, number>();
  const nameOf = ({ role, key }: Entry): number => {
    const name = `${role}\n${key}`;
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, names.size);
    return names.size - 1;
  };
  const storedNames = stored.map(nameOf);
  const hostNames = host.map(nameOf);
  return (own, theirs) => hostNames[own] === storedNames[theirs];
}

/**
 * Behind which host and which stored message the best match ends; `null` where there is none. Every pair of messages is
 * looked at once: how far a walk back from it comes follows from the pairs before it.
 */
function bestEnd(stored: readonly StoredEntry[], host: readonly Entry[]): { end: number; through: number } | null {
  const isPair = pairsOf(stored, host);
  if (isPair === null) return null;
  const lastSaid = stored.findLastIndex((entry) => !entry.prunable);
  const width = stored.length + 1;
  // Of the walk back from each pair: how many match, and how many of the host's it leaves before a contradiction.
  let before = { matched: new Int32Array(width), left: new Int32Array(width) };
  let best: { rank: number; end: number; through: number } | null = null;
  for (let end = 1; end <= host.length; end++) {
    const own = host[end - 1] as Entry;
    const row = { matched: new Int32Array(width), left: new Int32Array(width) };
    for (let through = 1; through <= stored.length; through++) {
      const same = isPair(end - 1, through - 1);
      if (same) {
        row.matched[through] = (before.matched[through - 1] as number) + 1;
        row.left[through] = before.left[through - 1] as number;
      } else if ((stored[through - 1] as StoredEntry).prunable) {
        row.matched[through] = row.matched[through - 1] as number;
        row.left[through] = row.left[through - 1] as number;
      } else if (own.prunable) {
        row.matched[through] = before.matched[through] as number;
        row.left[through] = before.left[through] as number;
      } else row.left[through] = end;
      const matched = row.matched[through] as number;
      const left = row.left[through] as number;
      if (!same || left > MAX_FOREIGN_HEAD) continue;
      const everything = left === 0 && matched === stored.length && matched === end && end < host.length;
      if (matched < 2 && !everything && !isWaitingCall(stored, through, host, end)) continue;
      const rank = (through > lastSaid ? REACHES_END : 0) + matched;
      if (best === null || rank >= best.rank) best = { rank, end, through };
    }
    before = row;
  }
  return best;
}

/** Does the newest turn wait with this call, and does the copy go on with its result? */
function isWaitingCall(stored: readonly StoredEntry[], through: number, host: readonly Entry[], end: number): boolean {
  const { turn, message } = stored[through - 1] as StoredEntry;
  if (turn.status !== "paused" || turn !== stored.at(-1)?.turn) return false;
  const result = host[end]?.key ?? "";
  return message.parts.some((part) => part.type === "tool-call" && result.startsWith(`result ${part.callId} `));
}

function walkBack(
  stored: readonly StoredEntry[],
  through: number,
  host: readonly Entry[],
  end: number,
): { matches: Map<number, number>; whole: boolean } {
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
  return { matches, whole: at < 0 || place < 0 };
}
