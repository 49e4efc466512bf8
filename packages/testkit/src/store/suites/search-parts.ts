import type { AgentOwner, MemoryStore, SearchQuery, SearchRows } from "@throughline/core";
import { expect } from "vitest";

/** What `readSearch` has to answer: each part by the method that it is named after. */
export async function searchParts(store: MemoryStore, owner: AgentOwner, query: SearchQuery): Promise<SearchRows> {
  const { words, facts, records, now } = query;
  const rows: SearchRows = {};
  let { scope } = query;
  if (scope.kind === "subject") {
    const subject = query.resolve ? await store.resolveSubject(owner, scope.subject) : scope.subject;
    rows.subject = subject;
    scope = { kind: "subject", subject };
  }
  if (words !== undefined) {
    const behind = (await store.keyword?.behind(owner, scope, { limit: 1_000 })) ?? [];
    rows.postings = (await store.keyword?.postings(owner, scope, words)) ?? expect.fail("No index.");
    rows.behind = behind.map(({ conversation, after, number }) => ({ conversation, after, number }));
    const tails = await Promise.all(
      behind.map(({ conversation, after }) => store.readTurns({ ...owner, conversation }, { after, limit: 1_000 })),
    );
    if (tails.flat().length <= words.unindexed) rows.unindexed = tails.flat();
  }
  if (facts !== undefined) {
    const { tenant, agent } = owner;
    const owners =
      scope.kind === "conversation"
        ? [{ tenant, agent, scope: "conversation", id: scope.conversation } as const]
        : [
            { tenant, agent, scope: "user", id: scope.subject } as const,
            { tenant, agent: null, scope: "global", id: scope.subject } as const,
          ];
    rows.facts = (await store.readFacts(owners, { now, limit: facts.limit })).flatMap((set) => set.facts);
  }
  if (records !== undefined) {
    const found = await store.readRecords(owner, { now, ...records, limit: 1_000 });
    rows.records = found.map(({ key, value }) => ({ key, value }));
  }
  return rows;
}
