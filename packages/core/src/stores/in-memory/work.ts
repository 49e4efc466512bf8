import type { AgentOwner, ConversationOwner } from "../../contract/owner.ts";
import type { ConversationRow } from "../../contract/store-rows.ts";
import type { Lease, WorkClaim, WorkSettlement } from "../../contract/store-work.ts";
import { isLeaseFree, leaseOf } from "../../store-kit/held-lease.ts";
import { compareText } from "../../store-kit/orders.ts";
import { isAnother, settledWork } from "../../store-kit/refusals.ts";
import { rowOf } from "./conversations.ts";
import type { State } from "./state.ts";

export function claimWork(state: State, owner: AgentOwner, claim: WorkClaim): ConversationRow[] {
  const due = [...state.agent(owner).conversations.values()]
    .filter(({ row }) => row.settledSeq < row.lastSeq)
    .filter(({ row }) => claim.conversation === undefined || row.id === claim.conversation)
    .filter(({ lease }) => isLeaseFree(lease, claim))
    .sort(
      (left, right) => compareText(left.row.updatedAt, right.row.updatedAt) || compareText(left.row.id, right.row.id),
    )
    .slice(0, claim.limit);
  for (const conversation of due) conversation.lease = leaseOf(claim);
  return due.map(rowOf);
}

export function settleWork(state: State, owner: ConversationOwner, settlement: WorkSettlement): void {
  const conversation = state.agent(owner).conversations.get(owner.conversation);
  if (conversation === undefined || isAnother(conversation.row, settlement)) return;
  conversation.row = { ...conversation.row, ...settledWork(conversation.row, settlement) };
  const gives = settlement.release ?? true;
  if (gives && conversation.lease?.holder === settlement.holder) delete conversation.lease;
}

export function reopenWork(state: State, owner: AgentOwner): void {
  for (const conversation of state.agent(owner).conversations.values()) {
    conversation.row = { ...conversation.row, settledSeq: 0 };
  }
}

export function claimLease(state: State, owner: AgentOwner, lease: Lease): boolean {
  const { leases } = state.agent(owner);
  if (!isLeaseFree(leases.get(lease.name), lease)) return false;
  leases.set(lease.name, leaseOf(lease));
  return true;
}

export function releaseLease(state: State, owner: AgentOwner, lease: { name: string; holder: string }): void {
  const { leases } = state.agent(owner);
  if (leases.get(lease.name)?.holder === lease.holder) leases.delete(lease.name);
}
