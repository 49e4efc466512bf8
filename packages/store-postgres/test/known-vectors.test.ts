import { migrate, type PostgresClient, postgresStore } from "@throughline/store-postgres";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { AGENT, at, chat, turnOf } from "./support/fixtures.ts";
import { vectorDatabases } from "./support/vector-databases.ts";
import { directions, MODEL, near, rounded, say } from "./support/vectors.ts";

const CONVERSATIONS = ["one", "two", "three"] as const;
const QUERIES = directions(3, MODEL.dimensions, 9);

/** A client that tells which functions were called through it. */
function listening({ query, transaction }: PostgresClient): { client: PostgresClient; taken(): string[] } {
  let called: string[] = [];
  const listen: PostgresClient["query"] = (sql, parameters) => {
    called.push(/\.(near_\w+)\(/.exec(sql)?.[1] ?? (sql.includes("substr(d.v, 1)") ? "all bytes" : "other"));
    return query(sql, parameters);
  };
  const taken = (): string[] => {
    const names = called;
    called = [];
    return names;
  };
  return { client: { query: listen, transaction }, taken };
}

for (const [name, make] of Object.entries(await vectorDatabases())) {
  for (const pgvector of [false, true]) {
    describe(`vectors kept in memory, on ${name} ${pgvector ? "with" : "without"} pgvector`, {
      timeout: 120_000,
    }, () => {
      /** A store that keeps vectors in memory, one that writes beside it, and one that the database compares for. */
      async function stores(options: { vectorCacheBytes?: number } = {}) {
        const database = await make();
        onTestFinished(() => database.close());
        await migrate({ client: database.client, pgvector });
        const { client, taken } = listening(database.client);
        const keeping = postgresStore({ client, migrate: false, ...options });
        const writing = postgresStore({ client: database.client, migrate: false });
        const comparing = postgresStore({ client: database.client, migrate: false, vectorCacheBytes: 0 });
        return { keeping, writing, comparing, taken, client: database.client };
      }
      const byDatabase = pgvector ? "near_messages" : "all bytes";

      it("J8: a subject that is searched again is compared in memory, what was written meanwhile too", async () => {
        const { keeping, writing, comparing, taken } = await stores();
        const [query = new Float32Array()] = QUERIES;
        await say(writing, "one", directions(40));
        await near(keeping, query);
        await near(keeping, query);
        expect(taken().filter((one) => one !== "other")).toEqual([byDatabase, byDatabase]);
        for (let seq = 41; seq < 44; seq++) {
          expect(rounded(await near(keeping, query))).toEqual(rounded(await near(comparing, query)));
          expect(taken()).toEqual(["near_changes"]);
          await say(writing, "one", directions(1, MODEL.dimensions, seq), { from: seq });
        }
        const narrowed = [
          { limit: 7 },
          { limit: 0 },
          { floor: 0.2 },
          { role: "user", from: at(3), to: at(30) },
          { role: "assistant" },
          { conversation: "two" },
          { exclude: { conversation: "one", after: 12 } },
          { exclude: { conversation: "none", after: 0 } },
        ] as const;
        for (const more of narrowed) {
          expect(rounded(await near(keeping, query, more))).toEqual(rounded(await near(comparing, query, more)));
          expect(taken()).toEqual(["near_changes"]);
        }
        // Nobody else's.
        for (const other of [{ subject: "bob" }, { tenant: "other" }]) {
          for (let search = 0; search < 4; search++) expect(await near(keeping, query, other)).toEqual([]);
        }
      });

      it("J8: whatever others do to its vectors, a search finds what the database compares", async () => {
        const { keeping, writing, comparing } = await stores();
        const owners = CONVERSATIONS.map(chat);
        const seqs = new Map(CONVERSATIONS.map((conversation) => [conversation as string, 0]));
        const turn = { turn: fc.nat(5), conversation: fc.nat(2) };
        const change = fc.oneof(
          { weight: 3, arbitrary: fc.record({ kind: fc.constant("say" as const), ...turn }) },
          fc.record({ kind: fc.constantFrom("hide", "show", "restamp", "embed", "drop", "erase" as const), ...turn }),
        );
        await fc.assert(
          fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat(2), async (changes, asked) => {
            for (const { kind, turn, conversation } of changes) {
              const id = CONVERSATIONS[conversation] as string;
              const owner = owners[conversation] ?? chat(id);
              const last = seqs.get(id) ?? 0;
              const seq = Math.max(1, last - turn);
              const action = { turn: `t${seq}` };
              if (kind === "say") {
                await say(writing, id, directions(1, MODEL.dimensions, 100 * conversation + last), { from: last + 1 });
                seqs.set(id, last + 1);
              } else if (kind === "hide" || kind === "show") {
                await writing.changeTurns(owner, [{ ...action, action: kind }]);
              } else if (kind === "restamp") {
                await writing.changeTurns(owner, [
                  { ...action, action: kind, subject: turn % 2 === 0 ? "ann" : "bob" },
                ]);
              } else if (kind === "drop") await writing.vectors?.drop(owner, { turns: [action.turn] });
              else if (kind === "embed") {
                const [vector = new Float32Array()] = directions(1, MODEL.dimensions, 7 * seq);
                const place = { turn: `t${seq}`, seq, position: 0, message: `t${seq}-q`, role: "user" as const };
                await writing.vectors?.put(owner, {
                  model: MODEL,
                  documents: [{ ...place, createdAt: at(seq), vector }],
                });
              } else {
                await writing.changeTurns(owner, [{ ...action, action: kind }]);
              }
            }
            const query = QUERIES[asked] ?? new Float32Array();
            for (const subject of ["ann", "bob"]) {
              // Searched until it is in memory again, where it was forgotten.
              for (let search = 0; search < 4; search++) {
                const more = { subject, limit: 5 + search };
                expect(rounded(await near(keeping, query, more))).toEqual(rounded(await near(comparing, query, more)));
              }
            }
          }),
          { numRuns: 25, seed: 7 },
        );
      });

      it("J8: searches at once go on from one set, each with what its own snapshot holds", async () => {
        const { keeping, writing, comparing } = await stores();
        const [query = new Float32Array()] = QUERIES;
        await say(writing, "one", directions(20));
        for (let search = 0; search < 3; search++) await near(keeping, query);
        await say(writing, "two", directions(3, MODEL.dimensions, 5));
        const found = await Promise.all(Array.from({ length: 6 }, () => near(keeping, query)));
        const expected = rounded(await near(comparing, query));
        for (const one of found) expect(rounded(one)).toEqual(expected);
        expect(rounded(await near(keeping, query))).toEqual(expected);
      });

      // A transaction that stays open while others go on needs a server.
      it.skipIf(name === "PGlite")("J3: what was written before and committed after is found", async () => {
        const { keeping, comparing, writing, client } = await stores();
        const [query = new Float32Array()] = QUERIES;
        await say(writing, "one", directions(20));
        await client.transaction(async (run) => {
          await run(
            `INSERT INTO throughline.vector SELECT (json_populate_record(x, '{"message": "late", "position": 1}')).* FROM throughline.vector x WHERE seq = 1`,
            [],
          );
          await say(writing, "one", directions(1, MODEL.dimensions, 5), { from: 21 });
          for (let search = 0; search < 4; search++) await near(keeping, query);
        });
        await writing.vectors?.drop(chat("one"), { turns: ["t7"] });
        for (let search = 0; search < 4; search++) {
          const found = await near(keeping, query);
          expect(found.map(({ message }) => message)).toContain("late");
          expect(rounded(found)).toEqual(rounded(await near(comparing, query)));
        }
      });

      it("J8: all of a subject's vectors are compared, however many pages they are read in", async () => {
        const { keeping, comparing, writing, client } = await stores();
        const [query = new Float32Array()] = QUERIES;
        await say(writing, "one", directions(20));
        // Some of them have one stamp.
        await client.query(
          `INSERT INTO throughline.vector SELECT (json_populate_record(x, json_build_object('message', x.message || n, 'position', n,
            'stamp', x.stamp + n / 3))).* FROM throughline.vector x, generate_series(1, 60) n`,
          [],
        );
        const found = await near(comparing, query, { limit: 2_000 });
        expect(new Set(found.map(({ message }) => message)).size).toBe(1_220);
        expect(found).toHaveLength(1_220);
        for (let search = 0; search < 4; search++) {
          expect(rounded(await near(keeping, query, { limit: 300 }))).toEqual(rounded(found.slice(0, 300)));
        }
      });

      it("J8: what finds no room in memory is compared by the database", async () => {
        const { keeping, writing, taken } = await stores({ vectorCacheBytes: 20_000 });
        const [query = new Float32Array()] = QUERIES;
        await say(writing, "one", directions(40));
        for (let search = 0; search < 5; search++) expect(await near(keeping, query)).toHaveLength(40);
        const asked = taken().filter((one) => one !== "other");
        expect(asked.filter((one) => one === "near_changes")).toHaveLength(1);
        expect(asked.filter((one) => one === byDatabase)).toHaveLength(5);
      });

      it.runIf(pgvector)(
        "J8: where the extension was moved, vectors are found until somebody migrates, too",
        async () => {
          const { keeping, writing, client } = await stores();
          const [query = new Float32Array()] = QUERIES;
          await say(writing, "one", directions(20));
          for (let search = 0; search < 3; search++) await near(keeping, query);
          const found = await near(keeping, query);
          await client.query("CREATE SCHEMA moved", []);
          await client.query("ALTER EXTENSION vector SET SCHEMA moved", []);
          for (let search = 0; search < 4; search++)
            expect(rounded(await near(keeping, query))).toEqual(rounded(found));
          await migrate({ client });
          expect(rounded(await near(keeping, query))).toEqual(rounded(found));
        },
      );

      it.each([false, true])(
        "J4: an erasure takes the tenant's vectors out of memory, its answer lost: %s",
        async (isLost) => {
          const { writing, client: sound } = await stores();
          const { client, taken } = listening(sound);
          let cuts = false;
          const transaction: PostgresClient["transaction"] = async (work) => {
            const done = await client.transaction(work);
            if (cuts) throw Object.assign(new Error("The connection ended."), { code: "08006" });
            return done;
          };
          const keeping = postgresStore({ client: { ...client, transaction }, migrate: false });
          const [query = new Float32Array()] = QUERIES;
          await keeping.commitTurn(chat("three"), turnOf("t1", { subject: "ann" }));
          await say(writing, "one", directions(20));
          for (let search = 0; search < 3; search++) await near(keeping, query);
          expect(taken().at(-1)).toBe("near_changes");
          cuts = isLost;
          const erased = keeping.erase(AGENT, { kind: "conversation", conversation: "three" }, { now: at(2) });
          if (isLost) await expect(erased).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
          else await erased;
          taken();
          await near(keeping, query);
          expect(taken().filter((one) => one !== "other")).toEqual([byDatabase]);
        },
      );
    });
  }
}
