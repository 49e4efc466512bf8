import type { Memory } from "@throughline/core";

/** Who is there in a run. Every member is exact: ids that look alike are different ones. */
export interface Identity {
  readonly tenant: string;
  readonly agent: string;
  /** Absent: nobody is known, and all belongs to the conversation (F9). */
  readonly subject?: string;
  readonly conversation: string;
}

/** What the suite plants of an identity: words of the person, a fact, and what else the framework keeps. */
export type Planted = "said" | "fact" | "kept";

/** One way in which an adapter runs an agent. All identities of one app share the same agent, tools and models. */
export interface IsolationRun {
  /** True where the framework runs it only for somebody who is known. */
  readonly needsSubject?: boolean;
  /**
   * One run in which the person says `text`; the model does what an `obedientModel` tells it,
   * then answers. Resolves to all
   * that the model was shown, tools' results included, as text. Rejects where the run is refused.
   */
  run(identity: Identity, text: string): Promise<string>;
}

/** One way in which an adapter reads what is stored, without a run. */
export interface IsolationRead {
  /** What of the identity is seen by it. */
  readonly shows: readonly Planted[];
  /** Is it the conversation's alone, or all of the person's? */
  readonly reach: "conversation" | "subject";
  /** Left out for a conversation without a person. @default false */
  readonly needsSubject?: boolean;
  /** All that is found, as text. */
  read(identity: Identity): Promise<string>;
}

/** An adapter in an app that serves many at once, over one storage that is empty at first. */
export interface IsolationDriver {
  /** The memory of the identity's tenant and agent; always the same one. */
  memory(identity: Identity): Memory;
  /** Ways to run an agent, by name. */
  readonly runs: { readonly [name: string]: IsolationRun };
  /** Ways to read, by name. */
  readonly reads: { readonly [name: string]: IsolationRead };
  /** A run of `who` whose memory tools are made of the memory of `toolsOf`: another agent's, in the same app. */
  runWithToolsOf?(who: Identity, toolsOf: Identity, text: string): Promise<string>;
  /** Keeps a text in whatever the framework has beside messages and facts: a store's items, a working memory. */
  keep?(identity: Identity, text: string): Promise<void>;
  /** The framework's own ways to erase or empty a conversation, by name. Others have all that is theirs after it. */
  readonly erasures?: { readonly [name: string]: (identity: Identity) => Promise<void> };
}
