import type {
  ConversationRow,
  Fact,
  FactOwner,
  FactScope,
  Memory,
  MemoryStore,
  RecordRow,
  SummaryRow,
  TurnRow,
} from "@throughline/core";

const TENANT = "default";
const AGENT = "guide";
const SUBJECT = "ada";
/** More than a story leaves of anything. */
const limit = 1_000;

/** Everything that a story has left in its store. */
export interface StoryRecords {
  conversations: {
    conversation: ConversationRow | null;
    turns: TurnRow[];
    summaries: SummaryRow[];
    /** Artifacts: what core keeps of them, as text. */
    items: { key: string; text: string }[];
    /** What the model would be shown next. */
    history: string[];
    /** What would stand in its system part. */
    system: string;
  }[];
  facts: { scope: FactScope; facts: Fact[] /** Erasure marks of what must not come back. */; tombstones: string[] }[];
  /** Carry-over, quarantine and whatever else is kept as plain records. */
  records: RecordRow[];
  /** Who said what is found by words, best first. */
  found: { query: string; hits: { role: string; score: number; matched: string; message: string }[] }[];
}

/** Reads it, in an order of its own that no id has a part in. */
export async function readRecords(
  memory: Memory,
  store: MemoryStore,
  mentioned: readonly string[],
): Promise<StoryRecords> {
  const ids = [...new Set(mentioned)];
  const now = "9999-01-01T00:00:00.000Z";
  const agent = { tenant: TENANT, agent: AGENT };
  const conversations = await Promise.all(
    ids.map(async (conversation) => {
      const owner = { ...agent, conversation };
      const handle = memory.conversation({ id: conversation });
      const items = await store.readItems(owner, { prefix: "", limit });
      return {
        conversation: await store.readConversation(owner),
        turns: await store.readTurns(owner, { hidden: true, limit }),
        summaries: await store.readSummaries(owner, { limit }),
        items: items.map(({ key, bytes }) => ({ key, text: new TextDecoder().decode(bytes) })),
        history: (await handle.history()).map(({ role, parts }) => `${role}: ${JSON.stringify(parts.map(bare))}`),
        system: await handle.systemContext(),
      };
    }),
  );
  const owners: FactOwner[] = [
    { ...agent, scope: "user", id: SUBJECT },
    { tenant: TENANT, agent: null, scope: "global", id: SUBJECT },
    { ...agent, scope: "app", id: "" },
    ...ids.map((id) => ({ ...agent, scope: "conversation" as const, id })),
  ];
  const sets = await store.readFacts(owners, { now, history: true, limit });
  const facts = await Promise.all(
    sets.map(async ({ owner, facts: all }) => ({
      scope: owner.scope,
      facts: all.toSorted((one, other) => orderOf(one).localeCompare(orderOf(other), "en")),
      tombstones: await store.readTombstones(owner),
    })),
  );
  const records = await store.readRecords(agent, { now, namespace: [], limit });
  const found = await Promise.all(
    // Words that no host tells of a failed call with, and hits far apart: those words move every score a little.
    ["trip sister", "weather Oslo", "allergic nuts"].map(async (query) => {
      const { hits } = await memory.search(query, { subject: SUBJECT, k: 20, toolResults: true });
      return {
        query,
        hits: hits.map(({ message, score, matched }) => ({
          role: message.role,
          // Sums of the same numbers in another order end in other digits.
          score: Number(score.toFixed(9)),
          matched,
          message: message.id,
        })),
      };
    }),
  );
  return { conversations, facts, records, found };
}

const orderOf = ({ validFrom, key = "", topic = "", version }: Fact): string =>
  [validFrom, key, topic, String(version).padStart(6, "0")].join("\n");

function bare({ native: _native, ...part }: { native?: unknown }): object {
  return part;
}
