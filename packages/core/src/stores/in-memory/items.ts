import type { ConversationOwner } from "../../contract/owner.ts";
import type { ItemCommit, ItemQuery, ItemRow } from "../../contract/store-items.ts";
import { selectItemKeys } from "../../store-kit/select-records.ts";
import type { ErasureMark, State } from "./state.ts";

export function readItems(state: State, owner: ConversationOwner, query: ItemQuery): ItemRow[] {
  const items = state.agent(owner).items.get(owner.conversation) ?? new Map<string, Uint8Array>();
  return selectItemKeys(items.keys(), query).map((key) => ({ key, bytes: new Uint8Array(items.get(key) ?? []) }));
}

export function commitItems(
  state: State,
  owner: ConversationOwner,
  commits: readonly ItemCommit[],
  { beganAt, subject }: { beganAt?: string; subject?: string } = {},
): boolean {
  const marks: ErasureMark[] = [[owner.tenant, owner.agent, "conversation", owner.conversation]];
  if (subject !== undefined) marks.push([owner.tenant, owner.agent, "subject", subject]);
  if (beganAt !== undefined && marks.some((mark) => state.isErasedSince(mark, beganAt))) return false;
  const agent = state.agent(owner);
  const items = new Map(agent.items.get(owner.conversation));
  for (const commit of commits) {
    switch (commit.action) {
      case "put":
        if (commit.ifAbsent !== true || !items.has(commit.key)) items.set(commit.key, new Uint8Array(commit.bytes));
        break;
      case "delete":
        items.delete(commit.key);
        break;
      case "delete-prefix":
        for (const key of [...items.keys()]) if (key.startsWith(commit.prefix)) items.delete(key);
        break;
    }
  }
  agent.items.set(owner.conversation, items);
  return true;
}
