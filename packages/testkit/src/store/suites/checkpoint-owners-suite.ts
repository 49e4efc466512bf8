import type { MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, CHAT, chat, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import { checkpointOf, checkpointsOf, heldUnder, put, texts, writesOf } from "./checkpoint-fixtures.ts";

async function conversations(store: MemoryStore): Promise<string[]> {
  return (await checkpointsOf(store).threads(AGENT, { limit: 99 })).map((row) => row.conversation);
}

/** Whose checkpoints are, and that they go with their owner. */
export const checkpointOwnersSuite: StoreSuite = {
  name: "checkpoint owners",
  applies: ({ capabilities }) => capabilities.checkpoints,
  cases: [
    {
      rules: ["B1", "J3"],
      title: "checkpoints belong to the conversation's subject, under whatever name",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        await store.linkIdentity(AGENT, { identity: "ann@x", subject: "ann", since: at(0) });
        await put(store, checkpointOf("c1", { subject: "ann@x" }));
        expect((await checkpoints.read(CHAT, { space: "" }))?.subject).toBe("ann");
        const bobs = { subject: "bob" };
        expect(await checkpoints.put(CHAT, checkpointOf("c2", { ...bobs, parent: "c1" }))).toEqual({
          status: "owner-mismatch",
        });
        expect(await checkpoints.putWrites(CHAT, { ...writesOf("c1", "t", "n"), ...bobs })).toBe("owner-mismatch");
        expect(await checkpoints.putWrites(CHAT, { ...writesOf("c1", "t", "n"), subject: "ann@x" })).toBe("stored");
        await put(store, checkpointOf("c2", { parent: "c1" }));
        await record(store, chat("anns"), turnOf("t1", { subject: "ann" }));
        expect(await checkpoints.put(chat("anns"), checkpointOf("c1", bobs))).toEqual({ status: "owner-mismatch" });
        await put(store, checkpointOf("c1"), chat("anns"));
        expect((await checkpoints.read(chat("anns"), { space: "" }))?.subject).toBe("ann");
        expect(await checkpoints.list(AGENT, { subject: "ann", limit: 9 })).toHaveLength(3);
      },
    },
    {
      rules: ["L8", "A2"],
      title: "a conversation that is erased takes its checkpoints along, and a late one is refused",
      async run({ store }) {
        const checkpoints = checkpointsOf(store);
        await record(store, CHAT, turnOf("t1", { subject: "ann" }));
        const first = await put(store, checkpointOf("c1", { values: [{ name: "m", value: texts("a") }] }));
        await put(store, checkpointOf("c2", { space: "child" }));
        await put(store, checkpointOf("c1"), chat("other"));
        const target = { kind: "conversation", conversation: CHAT.conversation } as const;
        const { removed } = await store.erase(AGENT, target, { now: at(5) });
        expect(removed).toMatchObject({ conversations: 1, checkpoints: 2 });
        expect(await conversations(store)).toEqual(["other"]);
        expect(await checkpoints.put(CHAT, checkpointOf("c3", { parent: "c1" }))).toEqual({
          status: "late",
          gone: true,
        });
        expect(await checkpoints.putWrites(CHAT, writesOf("c1", "t", "n"))).toBe("late");
        const anew = await put(store, checkpointOf("c9", { values: [{ name: "m", value: texts("b") }] }));
        expect(anew.generation).not.toBe(first.generation);
        expect(heldUnder(await checkpoints.read(CHAT, { space: "" }), "m")).toEqual(["b"]);
        expect(await checkpoints.list(AGENT, { conversation: CHAT.conversation, limit: 9 })).toHaveLength(1);
      },
    },
    {
      rules: ["L8", "A2"],
      title: "a subject that is erased takes along every checkpoint it had a part in",
      async run({ store }) {
        await store.linkIdentity(AGENT, { identity: "ann@x", subject: "ann", since: at(0) });
        // Bound by its checkpoints, by its turns, once bound and handed over, and somebody else's.
        await put(store, checkpointOf("c1", { subject: "ann@x" }), chat("checkpointed"));
        await record(store, chat("recorded"), turnOf("t1", { subject: "ann" }));
        await put(store, checkpointOf("c1"), chat("recorded"));
        await record(store, chat("handed over"), turnOf("t1", { subject: "ann" }));
        await put(store, checkpointOf("c1"), chat("handed over"));
        await store.changeConversation(chat("handed over"), { now: at(2), subject: "bob" });
        await record(store, chat("rebound"), turnOf("t1"));
        await put(store, checkpointOf("c1", { subject: "ann" }), chat("rebound"));
        await store.changeConversation(chat("rebound"), { now: at(2), subject: "bob" });
        await put(store, checkpointOf("c2", { subject: "bob", parent: "c1" }), chat("rebound"));
        await put(store, checkpointOf("c1", { subject: "bob" }), chat("bobs"));
        await put(store, checkpointOf("c1"), chat("nobodys"));
        const { removed } = await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        expect(removed).toMatchObject({ conversations: 1, checkpoints: 5 });
        expect(await conversations(store)).toEqual(["bobs", "nobodys"]);
        expect((await store.readConversation(chat("rebound")))?.subject).toBe("bob");
      },
    },
  ],
};
