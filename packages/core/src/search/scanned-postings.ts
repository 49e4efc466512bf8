import type { FollowingDocument, KeywordDocument, PostingQuery, Postings } from "../contract/store-keyword.ts";
import { SAID_THEN } from "./date-terms.ts";
import type { UnitPostings } from "./gather-units.ts";
import type { Place } from "./keyword-candidates.ts";
import { noPostings } from "./no-postings.ts";
import type { Period } from "./period-of.ts";
import { within } from "./within.ts";

/** Where the documents of one turn are. */
type TurnAt = Omit<Place, "message">;

/**
 * The postings of a question's terms in documents that no index holds, as they are read. Those that pass the question's filters
 * are numbered in the order they come in; what is kept of each stands in parallel arrays: a search of all that was said keeps
 * a great many.
 */
export class ScannedPostings {
  documents = 0;
  totalLength = 0;
  readonly #query: PostingQuery;
  readonly #from: number;
  readonly #then: PostingQuery | undefined;
  readonly #columns: Map<string, Postings["terms"][number]>;
  readonly #turns: TurnAt[] = [];
  readonly #messages: string[] = [];
  readonly #lengths: number[] = [];
  readonly #places: number[] = [];
  readonly #conversations: number[] = [];
  /** The first document of each conversation, by its number in postings. */
  readonly #first = new Map<number, number>();

  /** Documents are numbered from `from` on. What was said in the period `then` is there as the term {@link SAID_THEN}. */
  constructor(query: PostingQuery, from: number, then?: Period) {
    this.#query = query;
    this.#from = from;
    this.#then = then === undefined ? undefined : within(query, then);
    const terms = then === undefined ? query.terms : [...query.terms, SAID_THEN];
    this.#columns = new Map(terms.map((term) => [term, noPostings(term)]));
  }

  /** `conversation` is the number of the document's conversation in postings. Those of a conversation come one after the other. */
  add(turn: TurnAt, document: KeywordDocument, conversation: number): void {
    const { length, place } = document;
    const at = this.#messages.length;
    const isWanted = passes(turn, document, this.#query);
    this.documents += 1;
    this.totalLength += length;
    const isOfThen = isWanted && this.#then !== undefined && passes(turn, document, this.#then);
    const terms: KeywordDocument["terms"] = isOfThen ? [...document.terms, [SAID_THEN, 1]] : document.terms;
    for (const [term, frequency] of terms) {
      const columns = this.#columns.get(term);
      if (columns === undefined) continue;
      columns.documentFrequency++;
      if (!isWanted) continue;
      columns.documents.push(this.#from + at);
      columns.frequencies.push(frequency);
      columns.lengths.push(length);
      columns.conversations.push(conversation);
      columns.places.push(place);
    }
    if (!isWanted) return;
    if (this.#conversations[at - 1] !== conversation) this.#first.set(conversation, at);
    this.#turns.push(turn);
    this.#messages.push(document.message);
    this.#lengths.push(length);
    this.#places.push(place);
    this.#conversations.push(conversation);
  }

  /** Where a document is; `undefined` where it is none of these. */
  place(document: number): Place | undefined {
    const at = document - this.#from;
    // Arrays are slow to tell that they have nothing below 0.
    if (at < 0) return undefined;
    const turn = this.#turns[at];
    const message = this.#messages[at];
    return turn === undefined || message === undefined ? undefined : { ...turn, message };
  }

  /**
   * What stands right behind a document of a conversation, of those that pass: behind one of an index the first that was scanned.
   */
  following(behind: number, conversation: number): FollowingDocument[] {
    const at = behind < this.#from ? this.#first.get(conversation) : behind - this.#from + 1;
    if (at === undefined || this.#conversations[at] !== conversation) return [];
    // The arrays are parallel.
    const [length, place] = [this.#lengths[at] as number, this.#places[at] as number];
    return [{ behind, document: this.#from + at, length, place }];
  }

  /** The postings of an index, with these behind them. */
  mergedWith(indexed: readonly UnitPostings[]): UnitPostings[] {
    const stored = new Map(indexed.map((entry) => [entry.term, entry]));
    return [...this.#columns.values()].map((own): UnitPostings => {
      const base = stored.get(own.term);
      if (base === undefined) return own;
      if (own.documentFrequency === 0) return base;
      return {
        term: own.term,
        documentFrequency: base.documentFrequency + own.documentFrequency,
        documents: base.documents.concat(own.documents),
        frequencies: base.frequencies.concat(own.frequencies),
        lengths: base.lengths.concat(own.lengths),
        conversations: base.conversations.concat(own.conversations),
        places: base.places.concat(own.places),
      };
    });
  }
}

function passes({ conversation }: TurnAt, document: KeywordDocument, query: PostingQuery): boolean {
  return (
    (query.role === undefined || document.role === query.role) &&
    (query.from === undefined || document.createdAt >= query.from) &&
    (query.to === undefined || document.createdAt < query.to) &&
    (query.conversation === undefined || conversation === query.conversation) &&
    !(query.exclude && conversation === query.exclude.conversation && document.seq > query.exclude.after)
  );
}
