import type {
  AgentOwner,
  ConversationOwner,
  IndexedDocument,
  KeywordDocument,
  KeywordIndex,
  KeywordScope,
  MemoryStore,
  PostingQuery,
} from "@throughline/core";
import { MemoryError } from "@throughline/core";
import { isAnother } from "@throughline/core/store-kit";

interface Entry {
  number: number;
  owner: AgentOwner;
  conversation: string;
  document: KeywordDocument;
}

/** An entry whose turn is still there, visible and unchanged. */
interface Found extends Entry {
  subject: string | undefined;
}

/** What the index keeps of its own; shared by all handles of one place. */
export interface KeywordState {
  entries: Entry[];
  next: number;
  /** Conversations in the order in which they were met. */
  conversations: string[];
}

/** A conversation's number in postings. */
function numberOf(state: KeywordState, owner: AgentOwner, conversation: string): number {
  const name = JSON.stringify([owner.tenant, owner.agent, conversation]);
  const known = state.conversations.indexOf(name);
  return known >= 0 ? known : state.conversations.push(name) - 1;
}

/**
 * A keyword index over any store: the plainest reading of the contract, so that the keyword suite has something sound
 * to pass on and something to break. Every answer is filtered by what the store's turns are at that moment.
 */
export function withKeywordIndex(store: MemoryStore, state: KeywordState): MemoryStore {
  const found = async (owner: AgentOwner, signal: AbortSignal | undefined): Promise<Found[]> => {
    const all: Found[] = [];
    for (const entry of state.entries) {
      if (entry.owner.tenant !== owner.tenant || entry.owner.agent !== owner.agent) continue;
      const { conversation, document } = entry;
      const place = { tenant: owner.tenant, agent: owner.agent, conversation };
      const [turn] = await store.readTurns(place, { ids: [document.turn], limit: 1 }, { signal });
      const isHeld = turn?.seq === document.seq && turn.messages.some(({ id }) => id === document.message);
      if (isHeld) all.push({ ...entry, subject: turn.subject });
    }
    return all;
  };
  const add = ({ tenant, agent, conversation }: ConversationOwner, documents: readonly KeywordDocument[]): void => {
    for (const document of documents) {
      state.entries.push({ number: state.next, owner: { tenant, agent }, conversation, document });
      state.next += 1;
    }
  };
  const keyword: KeywordIndex = {
    async index(owner, { createdAt, after, through, documents }, { signal } = {}) {
      const row = await store.readConversation(owner, { signal });
      if (row === null || isAnother(row, { createdAt }) || (row.watermarks.index ?? 0) !== after) return false;
      await store.settleWork(owner, { holder: "", watermarks: { index: through }, release: false });
      add(owner, documents);
      return true;
    },
    async postings(owner, scope, query, { signal } = {}) {
      await store.readConversation({ ...owner, conversation: "" }, { signal });
      const documents = (await found(owner, signal)).filter(
        (entry) => isInScope(entry, scope) && query.groups.includes(entry.document.group),
      );
      return {
        documents: documents.length,
        totalLength: documents.reduce((sum, { document }) => sum + document.length, 0),
        terms: query.terms.map((term) => postingsOf(state, term, documents, query)),
      };
    },
    async documents(owner, numbers, { signal } = {}) {
      await store.readConversation({ ...owner, conversation: "" }, { signal });
      const byNumber = new Map((await found(owner, signal)).map((entry) => [entry.number, entry]));
      return numbers.flatMap((number) => {
        const entry = byNumber.get(number);
        return entry === undefined ? [] : [rowOf(entry)];
      });
    },
    async following(owner, scope, query, { signal } = {}) {
      await store.readConversation({ ...owner, conversation: "" }, { signal });
      const all = await found(owner, signal);
      return query.documents.flatMap((number) => {
        const entry = all.find((other) => other.number === number);
        if (entry === undefined) return [];
        const [next] = all
          .filter((other) => other.conversation === entry.conversation && isInScope(other, scope))
          .filter((other) => query.groups.includes(other.document.group) && passes(other, query))
          .filter((other) => comparePlaces(entry, other) < 0)
          .filter((other) => other.document.seq - entry.document.seq <= query.turns)
          .toSorted(comparePlaces);
        if (next === undefined) return [];
        const { length, place } = next.document;
        return [{ behind: number, document: next.number, length, place }];
      });
    },
    async behind(owner, scope, { limit }, { signal } = {}) {
      const rows = await store.listConversations(owner, { limit: 1_000_000 }, { signal });
      return rows
        .filter((row) => scope.kind !== "conversation" || row.id === scope.conversation)
        .filter((row) => scope.kind !== "subject" || row.subject === scope.subject)
        .map((row) => ({
          conversation: row.id,
          after: row.watermarks.index ?? 0,
          through: row.lastSeq,
          subject: row.subject,
          number: numberOf(state, owner, row.id),
        }))
        .filter((row) => row.after < row.through)
        .slice(0, limit);
    },
  };
  return {
    ...store,
    capabilities: { ...store.capabilities, keywordSearch: true },
    keyword,
    async changeTurns(owner, changes, options) {
      const changed = await store.changeTurns(owner, changes, options);
      const through = (await store.readConversation(owner))?.watermarks.index ?? 0;
      for (const change of changes) {
        if (change.action !== "rewrite") continue;
        const [turn] = await store.readTurns(owner, { ids: [change.turn], limit: 1, hidden: true });
        // It was passed over.
        if (JSON.stringify(turn?.messages) !== JSON.stringify(change.messages)) continue;
        state.entries = state.entries.filter((entry) => !(isOf(entry, owner) && entry.document.turn === change.turn));
        add(owner, change.documents?.filter(({ seq }) => seq <= through) ?? []);
      }
      return changed;
    },
    async erase(owner, target, options) {
      const receipt = await store.erase(owner, target, options);
      const kept: Entry[] = [];
      for (const entry of state.entries) {
        const [turn] = await store.readTurns(
          { ...entry.owner, conversation: entry.conversation },
          { hidden: true, ids: [entry.document.turn], limit: 1 },
        );
        if (turn?.seq === entry.document.seq) kept.push(entry);
      }
      state.entries = kept;
      return receipt;
    },
  };
}

function isOf(entry: Entry, owner: AgentOwner & { conversation: string }): boolean {
  const same = entry.owner.tenant === owner.tenant && entry.owner.agent === owner.agent;
  return same && entry.conversation === owner.conversation;
}

function isInScope(entry: Found, scope: KeywordScope): boolean {
  switch (scope.kind) {
    case "agent":
      return true;
    case "conversation":
      return entry.conversation === scope.conversation;
    case "subject":
      return entry.subject === scope.subject;
  }
}

function postingsOf(state: KeywordState, term: string, documents: readonly Found[], query: PostingQuery) {
  const holding = documents.flatMap((entry) => {
    const frequency = entry.document.terms.find(([text]) => text === term)?.[1];
    return frequency === undefined ? [] : [{ entry, frequency }];
  });
  const passing = holding.filter(({ entry }) => passes(entry, query));
  return {
    term,
    documentFrequency: holding.length,
    documents: passing.map(({ entry }) => entry.number),
    frequencies: passing.map(({ frequency }) => frequency),
    lengths: passing.map(({ entry }) => entry.document.length),
    conversations: passing.map(({ entry }) => numberOf(state, entry.owner, entry.conversation)),
    places: passing.map(({ entry }) => entry.document.place),
  };
}

const comparePlaces = (one: Found, other: Found): number =>
  one.document.seq - other.document.seq || one.number - other.number;

function passes(
  { conversation, document }: Found,
  { role, from, to, exclude, conversation: only }: Omit<PostingQuery, "terms">,
): boolean {
  if (role !== undefined && document.role !== role) return false;
  if (from !== undefined && document.createdAt < from) return false;
  if (to !== undefined && document.createdAt >= to) return false;
  if (only !== undefined && conversation !== only) return false;
  return exclude === undefined || conversation !== exclude.conversation || document.seq <= exclude.after;
}

function rowOf({ number, conversation, document, subject }: Found): IndexedDocument {
  const { turn, seq, position, message, role, createdAt } = document;
  const row = { document: number, conversation, turn, seq, position, message, role, createdAt };
  return subject === undefined ? row : { ...row, subject };
}

/** For stores whose handles close one by one: every call after `close` is refused, other handles stay open. */
export function handleOf(store: MemoryStore): MemoryStore {
  let closed = false;
  const guard = <Method extends (...given: never[]) => unknown>(method: Method): Method =>
    // The wrapper takes and gives what the method does; only the refusal is added.
    ((...given: never[]) => {
      if (closed) return Promise.reject(new MemoryError("STORE_CLOSED", "This handle was closed."));
      return method(...given);
    }) as Method;
  const guardAll = <Part extends object>(part: Part): Part =>
    // Same members, each function guarded.
    Object.fromEntries(
      Object.entries(part).map(([name, member]) => [name, typeof member === "function" ? guard(member) : member]),
    ) as Part;
  return {
    ...guardAll(store),
    ...(store.keyword === undefined ? {} : { keyword: guardAll(store.keyword) }),
    ...(store.checkpoints === undefined ? {} : { checkpoints: guardAll(store.checkpoints) }),
    ...(store.vectors === undefined ? {} : { vectors: guardAll(store.vectors) }),
    close: async () => {
      closed = true;
    },
  };
}
