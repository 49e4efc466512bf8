import { expect } from "vitest";
import {
  AGENT,
  allTurns,
  at,
  CHAT,
  chat,
  factOf,
  factsOf,
  HOSTILE_IDS,
  idsOf,
  putFacts,
  record,
  turnOf,
} from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

const MAIL = { identity: "ann@example.com", subject: "ann", since: at(1) };
const PHONE = { identity: "+1 555 0100", subject: "ann", since: at(2) };

/** Several names of one subject. */
export const identitiesSuite: StoreSuite = {
  name: "identities",
  cases: [
    {
      rules: ["F11"],
      title: "an identity stands for its subject from the link on until it is unlinked or moved",
      async run({ store }) {
        const resolve = () => store.resolveSubject(AGENT, MAIL.identity);
        expect(await resolve()).toBe(MAIL.identity);
        await store.linkIdentity(AGENT, MAIL);
        expect(await resolve()).toBe("ann");
        expect(await store.resolveSubject(AGENT, "ann")).toBe("ann");
        await store.linkIdentity(AGENT, { ...MAIL, subject: "bob" });
        expect(await resolve()).toBe("bob");
        expect(await store.unlinkIdentity(AGENT, MAIL.identity)).toBe(true);
        expect(await store.unlinkIdentity(AGENT, MAIL.identity)).toBe(false);
        expect(await resolve()).toBe(MAIL.identity);
      },
    },
    {
      rules: ["F11", "A1"],
      title: "identities are listed in order, all of the agent's or one subject's",
      async run({ store }) {
        const bobs = { identity: "Bob", subject: "bob", since: at(3) };
        for (const link of [MAIL, bobs, PHONE]) await store.linkIdentity(AGENT, link);
        expect(await store.listIdentities(AGENT, {})).toEqual([PHONE, bobs, MAIL]);
        expect(await store.listIdentities(AGENT, { subject: "ann" })).toEqual([PHONE, MAIL]);
        expect(await store.listIdentities(AGENT, { subject: "an" })).toEqual([]);
      },
    },
    {
      rules: ["F11", "J3", "PR5"],
      title: "identities belong to one tenant and agent, and hostile ones stay apart",
      async run({ store }) {
        for (const identity of HOSTILE_IDS) {
          await store.linkIdentity(AGENT, { identity, subject: `of ${identity.slice(0, 9)}`, since: at(0) });
        }
        for (const identity of HOSTILE_IDS) {
          expect(await store.resolveSubject(AGENT, identity)).toBe(`of ${identity.slice(0, 9)}`);
          expect(await store.resolveSubject({ ...AGENT, tenant: "acme2" }, identity)).toBe(identity);
          expect(await store.resolveSubject({ ...AGENT, agent: "helper2" }, identity)).toBe(identity);
        }
        expect(await store.listIdentities({ ...AGENT, agent: "helper2" }, {})).toEqual([]);
        const listed = await store.listIdentities(AGENT, {});
        expect(listed.map((link) => link.identity)).toEqual(HOSTILE_IDS.toSorted());
      },
    },
    {
      rules: ["F11", "F13"],
      title: "a turn that names an identity is filed under the subject, whichever of the names it is",
      async run({ store }) {
        await store.linkIdentity(AGENT, MAIL);
        await store.linkIdentity(AGENT, PHONE);
        await record(store, CHAT, turnOf("t1", { subject: MAIL.identity }));
        await record(store, CHAT, turnOf("t2", { subject: PHONE.identity }), turnOf("t3", { subject: "ann" }));
        expect((await allTurns(store, CHAT)).map((turn) => turn.subject)).toEqual(["ann", "ann", "ann"]);
        expect(idsOf(await store.listConversations(AGENT, { subject: "ann", limit: 9 }))).toEqual([CHAT.conversation]);
        expect(await store.commitTurn(CHAT, turnOf("t4", { subject: "bob" }))).toEqual({ status: "owner-mismatch" });
      },
    },
    {
      rules: ["F11", "F5"],
      title: "a context that names an identity reads the subject's facts and says whose they are",
      async run({ store }) {
        await store.linkIdentity(AGENT, MAIL);
        await putFacts(store, factsOf("user", "ann"), factOf("f1"));
        const read = (subject?: string) =>
          store.readContext(CHAT, {
            now: at(1),
            window: null,
            facts: { limit: 5 },
            ...(subject === undefined ? {} : { subject }),
          });
        const named = await read(MAIL.identity);
        expect(named.subject).toBe("ann");
        expect(named.facts[0]).toMatchObject({ owner: factsOf("user", "ann"), facts: [{ id: "f1" }] });
        expect((await read()).subject).toBeUndefined();
        await record(store, CHAT, turnOf("t1", { subject: MAIL.identity }));
        expect((await read()).subject).toBe("ann");
      },
    },
    {
      rules: ["F11"],
      title: "unlinking splits what is written later and leaves what was written",
      async run({ store }) {
        await store.linkIdentity(AGENT, MAIL);
        await record(store, chat("before"), turnOf("t1", { subject: MAIL.identity }));
        await store.unlinkIdentity(AGENT, MAIL.identity);
        await record(store, chat("after"), turnOf("t1", { subject: MAIL.identity }));
        expect((await store.readConversation(chat("before")))?.subject).toBe("ann");
        expect((await store.readConversation(chat("after")))?.subject).toBe(MAIL.identity);
      },
    },
    {
      rules: ["A2", "F11"],
      title: "erasing a subject erases its identities, and late turns under them are refused",
      async run({ store }) {
        await store.linkIdentity(AGENT, MAIL);
        await store.linkIdentity(AGENT, { ...PHONE, subject: "bob" });
        const receipt = await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(5) });
        expect(receipt.removed).toMatchObject({ identities: 1 });
        expect(await store.listIdentities(AGENT, {})).toEqual([{ ...PHONE, subject: "bob" }]);
        const late = await store.commitTurn(CHAT, turnOf("t1", { subject: MAIL.identity, minute: 4 }));
        expect(late).toEqual({ status: "erased" });
        await record(store, CHAT, turnOf("t1", { subject: MAIL.identity, minute: 6 }));
      },
    },
  ],
};
