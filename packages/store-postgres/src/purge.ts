import type { AgentOwner } from "@throughline/core";
import { agentKey } from "./conversation-rows.ts";
import type { Session } from "./session.ts";
import { toInteger } from "./text.ts";

/** Removes what is over, at most `limit` of each kind. */
export async function purgeExpired(
  session: Session,
  owner: AgentOwner,
  query: { now: string; operationsBefore: string; limit: number },
): Promise<Record<string, number>> {
  const { now, operationsBefore } = query;
  const [tenant, agent] = agentKey(owner);
  const limit = Math.max(0, toInteger(query.limit));
  // The owners first, in one order, as every writer of facts locks them.
  const over = `SELECT scope, owner, agent, id FROM #fact WHERE tenant = $1 AND agent IN ($2, '') AND expires_at <= $3
    ORDER BY expires_at, id LIMIT $4`;
  await session.run(
    `SELECT 1 FROM #fact_owner WHERE tenant = $1 AND (agent, scope, id) IN (SELECT agent, scope, owner FROM (${over}) f)
      ORDER BY agent, scope, id FOR UPDATE`,
    tenant,
    agent,
    now,
    limit,
  );
  const facts = await session.rows<{ agent: string; scope: string; owner: string }>(
    `DELETE FROM #fact WHERE tenant = $1 AND (scope, owner, agent, id) IN (${over}) RETURNING agent, scope, owner`,
    tenant,
    agent,
    now,
    limit,
  );
  if (facts.length > 0) {
    await session.run(
      `UPDATE #fact_owner SET version = version + 1 WHERE tenant = $1 AND (agent, scope, id) IN
        (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]))`,
      tenant,
      facts.map((fact) => fact.agent),
      facts.map((fact) => fact.scope),
      facts.map((fact) => fact.owner),
    );
  }
  const operations = await session.count(
    `DELETE FROM #operation WHERE tenant = $1 AND (agent, scope, owner, key) IN (SELECT agent, scope, owner, key
      FROM #operation WHERE tenant = $1 AND agent IN ($2, '') AND at < $3 ORDER BY at LIMIT $4) RETURNING 1`,
    tenant,
    agent,
    operationsBefore,
    limit,
  );
  const records = await session.count(
    `DELETE FROM #record WHERE tenant = $1 AND agent = $2 AND expires_at <= $3 AND (namespace, key) IN (SELECT namespace, key
      FROM #record WHERE tenant = $1 AND agent = $2 AND expires_at <= $3 ORDER BY expires_at LIMIT $4) RETURNING 1`,
    tenant,
    agent,
    now,
    limit,
  );
  const leases = await session.count(
    `DELETE FROM #lease WHERE tenant = $1 AND agent = $2 AND until <= $3 AND name IN (SELECT name
      FROM #lease WHERE tenant = $1 AND agent = $2 AND until <= $3 LIMIT $4) RETURNING 1`,
    tenant,
    agent,
    now,
    limit,
  );
  return { facts: facts.length, operations, records, leases };
}
