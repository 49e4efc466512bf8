import type { MemoryStore } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import pg from "pg";
import { at, factOf, turnOf, urlAs } from "./fixtures.ts";
import { serverUrl } from "./server.ts";

/** A role that owns schemas and one that uses them, as an app that keeps tenants apart has. */
export function twoRoles(label: string) {
  const owner = `throughline_owner_${label}_${process.pid}`;
  const role = `throughline_app_${label}_${process.pid}`;
  const admin = new pg.Pool({ connectionString: serverUrl ?? "", max: 2 });
  const app = new pg.Pool({ connectionString: serverUrl === null ? "" : urlAs(role), max: 8 });
  let made: Promise<void> | undefined;
  /** The kit asks for a store before the hooks of a file run. */
  const make = () => {
    made ??= (async () => {
      for (const name of [owner, role]) await admin.query(`CREATE ROLE "${name}" LOGIN PASSWORD '${name}'`);
      const { rows } = await admin.query("SELECT quote_ident(current_database()) AS name");
      await admin.query(`GRANT CREATE ON DATABASE ${rows[0].name} TO "${owner}"`);
    })();
    return made;
  };
  return {
    owner,
    role,
    admin,
    app,
    /** Migrated by one role, used by another. */
    async open(schema: string): Promise<MemoryStore> {
      await make();
      await migrate({ connectionString: urlAs(owner), schema, rowLevelSecurity: true, appRole: role });
      return postgresStore({ pool: app, schema, rowLevelSecurity: true, migrate: false });
    },
    async end(): Promise<void> {
      await app.end();
      await make();
      for (const name of [role, owner]) await admin.query(`DROP OWNED BY "${name}" CASCADE; DROP ROLE "${name}"`);
      await admin.end();
    },
  };
}

/** Something in every table, under one tenant. */
export async function furnish(store: MemoryStore, tenant: string): Promise<void> {
  const owner = { tenant, agent: "helper", conversation: "chat" };
  await store.commitTurn(owner, turnOf("t1", { subject: "ann" }));
  await store.commitTurn(owner, turnOf("t2", { hides: ["t1"] }));
  const summary = { text: "secret", through: 2, throughTurn: "t2", turns: 2, tokens: 1, createdAt: at(1) };
  await store.commitSummary(owner, { expectedVersion: 0, summary, now: at(1) });
  const facts = { tenant, agent: "helper", scope: "user", id: "ann" } as const;
  const operation = { key: "op", result: "done" };
  const commit = {
    expectedVersion: 0,
    now: at(1),
    put: [factOf("f", "secret")],
    tombstones: { add: ["h"] },
    operation,
  };
  await store.commitFacts(facts, commit);
  await store.commitRecords(owner, [{ namespace: ["n"], key: "k", value: 1 }], { now: at(1) });
  await store.commitItems(owner, [{ action: "put", key: "k", bytes: new Uint8Array([1]) }]);
  await store.claimLease(owner, { name: "l", holder: "w", now: at(1), leaseMs: 1000 });
  await store.linkIdentity(owner, { identity: "ann@example.org", subject: "ann", since: at(1) });
  await store.changeTurns(owner, [{ turn: "t2", action: "restamp", subject: "bob" }]);
  const document = {
    turn: "t2",
    seq: 2,
    position: 0,
    place: 0,
    message: "t2-q",
    role: "user",
    createdAt: at(1),
    group: "said",
    length: 1,
    terms: [["word", 1]],
  } as const;
  await store.keyword?.index(owner, { after: 0, through: 2, documents: [document] });
  const values = [{ name: "m", value: ['"secret"'] }];
  const checkpoint = { space: "", id: "c1", subject: "ann", now: at(1), values, tags: [], body: "{}" };
  await store.checkpoints?.put(owner, checkpoint);
  const writes = [{ index: 0, name: "m", text: '"secret"' }];
  await store.checkpoints?.putWrites(owner, { space: "", checkpoint: "c1", task: "t", path: "", writes });
  const { group: _group, length: _length, terms: _terms, ...place } = document;
  const model = { modelId: "m", dimensions: 2 };
  await store.vectors?.put(owner, { model, documents: [{ ...place, vector: Float32Array.of(1, 0) }] });
}
