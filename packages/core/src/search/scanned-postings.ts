import type { FollowingDocument, KeywordDocument, PostingQuery, Postings } from "../contract/store-keyword.ts";
import type { UnitPostings } from "./gather-units.ts";
import type { Place } from "./keyword-candidates.ts";
import { noPostings } from "./no-postings.ts";

type Following = Omit<FollowingDocument, "behind"> & { where: Place };

/** The postings of a question's terms in documents that no index holds, as they are read. */
export class ScannedPostings {
  documents = 0;
  totalLength = 0;
  /** Where documents are that hold a term, or may be shown for one before them that does. */
  readonly places = new Map<number, Place>();
  readonly #query: PostingQuery;
  readonly #from: number;
  readonly #columns: Map<string, Postings["terms"][number]>;
  /** What stands behind documents that hold a term, and first of each conversation, by number. */
  readonly #behind = new Map<number, Following>();
  readonly #first = new Map<number, Following>();
  #previous: { number: number; conversation: number; holds: boolean } | undefined;

  /** Documents are numbered from `from` on. */
  constructor(query: PostingQuery, from: number) {
    this.#query = query;
    this.#from = from;
    this.#columns = new Map(query.terms.map((term) => [term, noPostings(term)]));
  }

  /** `conversation` is the number of the document's conversation in postings. */
  add(place: Place, document: KeywordDocument, conversation: number): void {
    const number = this.#from + this.documents++;
    this.totalLength += document.length;
    const isWanted = passes(place, document, this.#query);
    let holds = false;
    for (const [term, frequency] of document.terms) {
      const columns = this.#columns.get(term);
      if (columns === undefined) continue;
      columns.documentFrequency++;
      if (!isWanted) continue;
      holds = true;
      columns.documents.push(number);
      columns.frequencies.push(frequency);
      columns.lengths.push(document.length);
      columns.conversations.push(conversation);
      columns.places.push(document.place);
      this.places.set(number, place);
    }
    if (!isWanted) return;
    const previous = this.#previous?.conversation === conversation ? this.#previous : undefined;
    const following = { document: number, length: document.length, place: document.place, where: place };
    if (previous === undefined) this.#first.set(conversation, following);
    else if (previous.holds) this.#behind.set(previous.number, following);
    this.#previous = { number, conversation, holds };
  }

  /**
   * What stands right behind a document of a conversation, of those that pass: behind one of an index the first that was scanned.
   * Where it is can be looked up from then on.
   */
  following(behind: number, conversation: number): FollowingDocument[] {
    const found = behind < this.#from ? this.#first.get(conversation) : this.#behind.get(behind);
    if (found === undefined) return [];
    const { where, ...document } = found;
    this.places.set(document.document, where);
    return [{ behind, ...document }];
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

function passes(place: Place, document: KeywordDocument, query: PostingQuery): boolean {
  return (
    (query.role === undefined || document.role === query.role) &&
    (query.from === undefined || document.createdAt >= query.from) &&
    (query.to === undefined || document.createdAt < query.to) &&
    (query.conversation === undefined || place.conversation === query.conversation) &&
    !(query.exclude && place.conversation === query.exclude.conversation && document.seq > query.exclude.after)
  );
}
