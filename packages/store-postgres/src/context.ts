import type { ContextQuery, ContextRows, ConversationOwner, Fact, FactScope, FactSet } from "@throughline/core";
import { contextFactOwners } from "@throughline/core/store-kit";
import { type ConversationColumns, keyOf, toConversation } from "./conversation-rows.ts";
import type { Session } from "./session.ts";
import { type SummaryColumns, toSummary } from "./summaries.ts";
import { readText, toInteger, writeText } from "./text.ts";
import { joinTurn, type TurnBody } from "./turn-rows.ts";

/** What the function answers. */
interface Answer {
  conversation: ConversationColumns | null;
  summary: SummaryColumns | null;
  subject: string | null;
  /** Newest first. */
  turns: [seq: number, counted: number, tokens: number, subject: string | null, body: TurnBody][];
  /** Owners that have facts. */
  facts: [scope: FactScope, version: number, total: number, facts: Fact[]][];
}

const BEGIN = "SELECT #begin_turn($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS answer";

/** Everything a turn needs to begin, in one trip. */
export async function readContext(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  query: ContextQuery,
): Promise<ContextRows> {
  const { window, facts, subject: named, now } = query;
  const found = await session.prepared<{ answer: string }>(
    "begin",
    BEGIN,
    rowLevelSecurity,
    ...keyOf(owner),
    named === undefined ? null : writeText(named),
    now,
    window !== null,
    window?.afterSummary ?? false,
    window?.maxMessages ?? 0,
    window?.maxTokens ?? 0,
    facts === null ? null : Math.max(0, toInteger(facts.limit)),
  );
  if (found === undefined) throw new Error("A function answers with one row.");
  const answer = parse<Answer>(found.answer);
  const subject = answer.subject === null ? undefined : readText(answer.subject);
  return {
    ...(subject === undefined ? {} : { subject }),
    conversation: answer.conversation === null ? null : toConversation(answer.conversation),
    turns: answer.turns
      .map(([seq, counted, tokens, whose, body]) =>
        joinTurn(owner.conversation, body, { seq, counted, tokens, subject: whose }),
      )
      .reverse(),
    summary: answer.summary === null ? null : toSummary(answer.summary),
    facts: facts === null ? [] : setsOf(answer.facts, owner, subject),
  };
}

/** A set of each owner there is: without a subject there is nobody's. */
function setsOf(found: Answer["facts"], owner: ConversationOwner, subject: string | undefined): FactSet[] {
  return contextFactOwners(owner, subject).map((whose) => {
    const [, version = 0, total = 0, facts = []] = found.find(([scope]) => scope === whose.scope) ?? [];
    return { owner: whose, version, total, facts };
  });
}

/** JSON of a row that the server wrote. */
export function parse<Row>(text: string): Row {
  return JSON.parse(text);
}
