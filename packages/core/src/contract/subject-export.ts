import type { Summary } from "./conversation.ts";
import type { Fact } from "./fact.ts";
import type { ConversationInfo } from "./memory.ts";
import type { Turn } from "./message.ts";
import type { IdentityRow, RecordRow } from "./store-rows.ts";

/** A conversation in full. */
export interface AuditedConversation extends ConversationInfo {
  /** Oldest first, replaced and cleared ones among them. */
  transcript: Turn[];
  summary: Summary | null;
  /** Id of the last folded turn. */
  summarizedThrough: string | null;
  /** Facts of the scope `conversation`, with their history. */
  facts: Fact[];
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
}

/** A subject's memory as it leaves one store for another. */
export interface SubjectExport extends SubjectAudit {
  format: "throughline/subject@1";
  /** ISO 8601. */
  exportedAt: string;
  agent: string;
  records: RecordRow[];
}

/** What an import did. Importing the same export again stores nothing twice. */
export interface ImportReport {
  turns: number;
  facts: number;
  records: number;
  /** What was not taken, and why. */
  refused: { kind: "turn" | "fact" | "record"; id: string; code: string; reason: string }[];
}

/** What the agent or a distiller changed, and why. */
export interface FactChange {
  fact: Fact;
  /** What it replaced. */
  replaced?: Fact;
  /** The turn and, where there are some, the words it rests on. */
  because?: { conversation: string; turn: string; quote?: string };
}
