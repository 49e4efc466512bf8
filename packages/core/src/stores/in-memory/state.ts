import type { Fact } from "../../contract/fact.ts";
import type { AgentOwner, FactOwner } from "../../contract/owner.ts";
import type { ConversationRow, IdentityRow, RecordRow, SummaryRow, TurnRow } from "../../contract/store-rows.ts";
import type { VectorDocument, VectorModel } from "../../contract/store-vectors.ts";
import type { HeldLease } from "../../store-kit/held-lease.ts";
import type { ThreadState } from "./checkpoint-state.ts";

/** A summary with the time of its removal. */
export type SummaryVersion = SummaryRow & { deletedAt?: string };

/** The vector of a message. Its subject is that of its turn. */
export interface VectorState extends VectorDocument {
  model: VectorModel;
}

/** One conversation. `turns` and `messages` of the row are counted as it is read. */
export interface ConversationState {
  row: Omit<ConversationRow, "turns" | "messages">;
  /** Oldest first. */
  turns: TurnRow[];
  /** Oldest version first. */
  summaries: SummaryVersion[];
  vectors: VectorState[];
  /** The newest version given to a summary, whatever became of it. */
  summaryVersion: number;
  lease?: HeldLease;
}

/** The facts of one owner. */
export interface FactState {
  version: number;
  facts: Map<string, Fact>;
  tombstones: Set<string>;
  operations: Map<string, { result: string; at: string }>;
}

/** Everything of one agent but its facts. */
export interface AgentState {
  conversations: Map<string, ConversationState>;
  /** By conversation, then by key. A conversation has items before it has a row. */
  items: Map<string, Map<string, Uint8Array>>;
  /** Checkpoints by conversation, which need not have a row. */
  threads: Map<string, ThreadState>;
  records: Map<string, RecordRow>;
  leases: Map<string, HeldLease>;
  identities: Map<string, IdentityRow>;
}

/** Whose erasure is remembered. Without an agent: a subject's `global` facts. */
export type ErasureMark = readonly [tenant: string, agent: string | null, kind: "conversation" | "subject", id: string];

/** Everything. Keys of the outer maps are JSON, so that no id can imitate a border between two of them. */
export class State {
  readonly #agents = new Map<string, AgentState>();
  readonly #facts = new Map<string, FactState>();
  readonly #erased = new Map<string, string>();
  #lives = 0;

  /** A number that was never given before. */
  nextLife(): number {
    this.#lives += 1;
    return this.#lives;
  }

  agent(owner: AgentOwner): AgentState {
    const key = JSON.stringify([owner.tenant, owner.agent]);
    return obtain(this.#agents, key, () => ({
      conversations: new Map(),
      items: new Map(),
      threads: new Map(),
      records: new Map(),
      leases: new Map(),
      identities: new Map(),
    }));
  }

  facts(owner: FactOwner): FactState {
    return obtain(this.#facts, factKey(owner), () => ({
      version: 0,
      facts: new Map(),
      tombstones: new Set(),
      operations: new Map(),
    }));
  }

  dropFacts(owner: FactOwner): void {
    this.#facts.delete(factKey(owner));
  }

  /** The fact states of an agent: its own and those that all agents of the tenant share. */
  factsOf(owner: AgentOwner): FactState[] {
    return [...this.#facts]
      .filter(([key]) => {
        const [tenant, agent] = JSON.parse(key) as [string, string | null];
        return tenant === owner.tenant && (agent === owner.agent || agent === null);
      })
      .map(([, stored]) => stored);
  }

  markErased(mark: ErasureMark, at: string): void {
    const key = JSON.stringify(mark);
    const before = this.#erased.get(key);
    if (before === undefined || before < at) this.#erased.set(key, at);
  }

  /** True where the erasure happened at or after `moment`: what began by then belongs to what was erased. */
  isErasedSince(mark: ErasureMark, moment: string): boolean {
    const at = this.#erased.get(JSON.stringify(mark));
    return at !== undefined && at >= moment;
  }
}

function factKey({ tenant, agent, scope, id }: FactOwner): string {
  return JSON.stringify([tenant, agent, scope, id]);
}

function obtain<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
