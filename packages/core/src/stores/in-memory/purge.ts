import type { AgentOwner } from "../../contract/owner.ts";
import type { State } from "./state.ts";

export function purgeExpired(
  state: State,
  owner: AgentOwner,
  query: { now: string; operationsBefore: string; limit: number },
): Record<string, number> {
  const agent = state.agent(owner);
  const isOver = (end: string | undefined) => end !== undefined && end <= query.now;
  const counts = { facts: 0, operations: 0, records: 0, leases: 0 };
  for (const stored of state.factsOf(owner)) {
    const before = counts.facts;
    for (const [id, fact] of stored.facts) {
      if (counts.facts < query.limit && isOver(fact.expiresAt) && stored.facts.delete(id)) counts.facts++;
    }
    if (counts.facts > before) stored.version++;
    for (const [key, { at }] of stored.operations) {
      if (counts.operations < query.limit && at < query.operationsBefore && stored.operations.delete(key)) {
        counts.operations++;
      }
    }
  }
  for (const [place, record] of agent.records) {
    if (counts.records < query.limit && isOver(record.expiresAt) && agent.records.delete(place)) counts.records++;
  }
  for (const [name, lease] of agent.leases) {
    if (counts.leases < query.limit && isOver(lease.until) && agent.leases.delete(name)) counts.leases++;
  }
  return counts;
}
