import type { AgentOwner } from "../../contract/owner.ts";
import type { IdentityRow } from "../../contract/store-rows.ts";
import { compareText } from "../../store-kit/orders.ts";
import { plainCopy as copy } from "../../store-kit/plain-copy.ts";
import type { State } from "./state.ts";

export function linkIdentity(state: State, owner: AgentOwner, link: IdentityRow): void {
  state.agent(owner).identities.set(link.identity, copy(link));
}

export function unlinkIdentity(state: State, owner: AgentOwner, identity: string): boolean {
  return state.agent(owner).identities.delete(identity);
}

export function listIdentities(state: State, owner: AgentOwner, query: { subject?: string }): IdentityRow[] {
  const found = [...state.agent(owner).identities.values()].filter(
    ({ subject }) => query.subject === undefined || subject === query.subject,
  );
  return copy(found.sort((left, right) => compareText(left.identity, right.identity)));
}

export function resolveSubject(state: State, owner: AgentOwner, subject: string): string {
  return state.agent(owner).identities.get(subject)?.subject ?? subject;
}
