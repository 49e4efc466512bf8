import type { ConversationQuery } from "../contract/memory-store.ts";
import type { KeywordScope } from "../contract/store-keyword.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";

const PAGE = 64;

/**
 * Conversations of a scope, page by page: of a subject those that are bound to it, and then those of somebody else's now
 * that hold turns of it.
 */
export async function* conversationsIn(
  engine: Engine,
  scope: KeywordScope,
  signal?: AbortSignal,
): AsyncGenerator<ConversationRow> {
  const store = await engine.store();
  if (scope.kind === "conversation") {
    const row = await store.readConversation({ ...engine.owner, conversation: scope.conversation }, callOf(signal));
    if (row) yield row;
    return;
  }
  if (scope.kind === "agent") {
    yield* listed(engine, {}, signal);
    return;
  }
  const { subject } = scope;
  yield* listed(engine, { subject }, signal);
  yield* listed(engine, { subject, former: true }, signal);
}

async function* listed(
  engine: Engine,
  query: Pick<ConversationQuery, "subject" | "former">,
  signal: AbortSignal | undefined,
): AsyncGenerator<ConversationRow> {
  const store = await engine.store();
  let after: { updatedAt: string; id: string } | undefined;
  for (;;) {
    const page: ConversationRow[] = await store.listConversations(
      engine.owner,
      { ...query, limit: PAGE, ...(after === undefined ? {} : { after }) },
      callOf(signal),
    );
    yield* page;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = { updatedAt: last.updatedAt, id: last.id };
  }
}
