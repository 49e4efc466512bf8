import type { ContextQuery, ContextRows, ConversationOwner, Fact, FactOwner, FactScope } from "@throughline/core";
import { type ConversationColumns, keyOf, toConversation } from "./conversation-rows.ts";
import type { Session } from "./session.ts";
import { type SummaryColumns, toSummary } from "./summaries.ts";
import { readText, toInteger, writeText } from "./text.ts";
import { toTurnRow } from "./turn-rows.ts";

interface Part {
  kind: "conversation" | "summary" | "turn" | "subject" | "fact" | "owner";
  n1: number;
  n2: number;
  n3: number;
  t1: string;
  t2: string | null;
}

const BEGIN = "SELECT * FROM #begin_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

/** Everything a turn needs to begin, in one trip. */
export async function readContext(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  query: ContextQuery,
): Promise<ContextRows> {
  const { window, facts, subject, now } = query;
  const parts = await session.rows<Part>(
    BEGIN,
    rowLevelSecurity,
    ...keyOf(owner),
    subject === undefined ? null : writeText(subject),
    now,
    window !== null,
    window?.afterSummary ?? false,
    window?.maxMessages ?? 0,
    window?.maxTokens ?? 0,
    facts === null ? null : Math.max(0, toInteger(facts.limit)),
  );
  const context: ContextRows = { conversation: null, turns: [], summary: null, facts: [] };
  let collected: Fact[] = [];
  for (const { kind, n1, n2, n3, t1, t2 } of parts) {
    switch (kind) {
      case "conversation":
        context.conversation = toConversation(parse<ConversationColumns>(t1));
        break;
      case "summary":
        context.summary = toSummary(parse<SummaryColumns>(t1));
        break;
      case "turn":
        context.turns.push(toTurnRow(owner.conversation, { seq: n1, counted: n2, tokens: n3, body: t1, subject: t2 }));
        break;
      case "subject":
        context.subject = readText(t1);
        break;
      case "fact":
        collected.push(parse<Fact>(t1));
        break;
      case "owner":
        context.facts.push({ owner: ownerOf(owner, t1, context.subject), version: n1, facts: collected, total: n2 });
        collected = [];
        break;
    }
  }
  context.turns.reverse();
  return context;
}

function ownerOf({ tenant, agent, conversation }: ConversationOwner, name: string, subject = ""): FactOwner {
  // One of the four scopes that the function names.
  const scope = name as FactScope;
  const id = scope === "app" ? "" : scope === "conversation" ? conversation : subject;
  return { tenant, agent: scope === "global" ? null : agent, scope, id };
}

/** JSON of a row that the server wrote. */
export function parse<Row>(text: string): Row {
  return JSON.parse(text);
}
