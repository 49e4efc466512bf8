import type { CarryOver, Summary } from "./conversation.ts";
import type { Fact } from "./fact.ts";
import type { Json } from "./json.ts";
import type { ConversationInfo } from "./memory.ts";
import type { Turn } from "./message.ts";
import type { TimelineEvent } from "./models.ts";
import type { IdentityRow, RecordRow } from "./store-rows.ts";

/** A conversation in full. */
export interface AuditedConversation extends ConversationInfo {
  /** Oldest first, replaced and cleared ones among them. */
  transcript: Turn[];
  summary: Summary | null;
  /** Id of the last folded turn. */
  summarizedThrough: string | null;
  /** Id of the last turn that was cleared from history; absent where none was. */
  clearedThrough?: string;
  /** Facts of the scope `conversation`, with their history. */
  facts: Fact[];
}

/** A conversation as it leaves one store for another. */
export interface ExportedConversation extends AuditedConversation {
  /** Items of its artifacts. */
  artifacts?: { key: string; base64: string }[];
  /** Hashes of what was forgotten in it. */
  forgotten?: string[];
}

/** Everything there is of one subject. */
export interface SubjectAudit {
  subject: string;
  /** Other names of the subject. */
  identities: IdentityRow[];
  /** Most recently active first. */
  conversations: AuditedConversation[];
  /** Facts of the scopes `user` and `global` with author, source turn, expiry and history. */
  facts: Fact[];
  /** What a distiller proposed and nothing that was said bears out. No model is shown it. */
  quarantined: QuarantinedFact[];
  /** What was ingested, oldest first. */
  events: TimelineEvent[];
  /** One for each login, most recently changed first. */
  carryOver: CarryOver[];
}

/** A candidate whose quote or value stands nowhere in its turn or event. */
export interface QuarantinedFact {
  id: string;
  key?: string;
  topic?: string;
  value: Json;
  quote: string;
  /** 0 to 1, as the distiller said. */
  confidence: number;
  /** Why: `QUOTE_NOT_FOUND` (nobody said so), or `NOT_BORNE_OUT` (what it says goes beyond the words it quotes). */
  code: "QUOTE_NOT_FOUND" | "NOT_BORNE_OUT";
  conversation?: string;
  turn?: string;
  event?: string;
  /** ISO 8601. */
  at: string;
}

/**
 * A subject's memory as it leaves one store for another: what was said, folded, cleared and forgotten, artifacts, facts
 * with their history, records. Not carried: what is made again from it (vectors, the keyword index), checkpoints and
 * other items of hosts, the carry-over of a login, earlier versions of summaries, and links of identities, which are the
 * operator's to make.
 */
export interface SubjectExport extends SubjectAudit {
  format: "throughline/subject@1";
  /** ISO 8601. */
  exportedAt: string;
  agent: string;
  conversations: ExportedConversation[];
  records: RecordRow[];
  /** Hashes of what was forgotten. They mean something only where values are hashed with the same `forgetKey`: `mark` tells. */
  forgotten?: { mark: string; user: string[]; global: string[] };
}

/** What an import did. Importing the same export again stores nothing twice. */
export interface ImportReport {
  turns: number;
  facts: number;
  records: number;
  artifacts: number;
  /** What was not taken, and why. */
  refused: { kind: "turn" | "fact" | "record" | "artifact"; id: string; code: string; reason: string }[];
}

/** What the agent or a distiller changed, and why. */
export interface FactChange {
  fact: Fact;
  /** What it replaced. */
  replaced?: Fact;
  /** The turn and, where there are some, the words it rests on. */
  because?: { conversation: string; turn: string; quote?: string };
}
