import { type DistillerInput, extractiveSummarizer, type FactCandidate, patternDistiller } from "@throughline/core";
import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, user } from "../talk.ts";

const AFTER_REPLY = { extract: { when: "after-reply" } } as const;
const SCHEDULED = { extract: { when: "scheduled" } } as const;

/** Every turn's words as a fact of its own topic, each time in other words. */
const naming =
  (word: string) =>
  ({ turns }: Pick<DistillerInput, "turns">): FactCandidate[] =>
    turns.map(({ id }) => ({ topic: id, value: `${word} ${id}`, quote: `I grow ${id}`, turn: id, confidence: 1 }));

/** What is drawn from what was said, and carried over. */
export const extractingSuite: MemorySuite = {
  name: "extracting",
  cases: [
    {
      rules: ["X2", "G6"],
      title: "what a person states is a fact with its words, in another process at once",
      async run({ memory }) {
        const here = memory({ policy: AFTER_REPLY, distiller: patternDistiller() });
        const chat = here.conversation({ id: "c", subject: "ana" });
        await chat.record({ id: "t1", messages: [user("My dog is called Rex."), assistant("Good name.")] });
        await here.settled();
        const [fact] = await memory().subject("ana").facts();
        expect(fact).toMatchObject({
          key: "dog",
          value: "Rex",
          author: "distiller",
          origin: "user",
          source: { conversation: "c", turn: "t1", quote: "My dog is called Rex" },
        });
      },
    },
    {
      rules: ["E3", "X2"],
      title: "a turn that is drawn from again because a process died leaves its facts once",
      async run({ memory, store }) {
        const here = memory({ policy: AFTER_REPLY, distiller: naming("grows") });
        await here
          .conversation({ id: "beans", subject: "ana" })
          .record({ id: "beans", messages: [user("I grow beans")] });
        await here.sweep();
        const owner = { tenant: "default", agent: "helper", scope: "user", id: "ana" } as const;
        const [set] = await store.readFacts([owner], { now: "2026-03-01T10:00:00.000Z", limit: 10 });
        expect(set?.facts.map(({ value }) => value)).toEqual(["grows beans"]);
        // What a second try of the same turn would write, with other words of the model.
        const again = await store.commitFacts(owner, {
          expectedVersion: set?.version ?? 0,
          now: "2026-03-01T10:00:00.000Z",
          put: [],
          operation: { key: "extract:beans:beans:1", result: "another" },
        });
        expect(again).toEqual({ status: "repeated", result: "1" });
      },
    },
    {
      rules: ["X3", "E3"],
      title: "of two processes that distil one after the other only the first finds anything",
      async run({ memory }) {
        const [one, two] = ["grows", "tends"].map((word) => memory({ policy: SCHEDULED, distiller: naming(word) }));
        const chat = one?.conversation({ id: "c", subject: "ana" });
        for (const id of ["beans", "leeks", "figs"]) await chat?.record({ id, messages: [user(`I grow ${id}`)] });
        expect(await one?.distill()).toEqual({ found: 3 });
        expect(await two?.distill()).toEqual({ found: 0 });
        const facts = await memory().subject("ana").facts({ history: true });
        expect(facts.map(({ value }) => value).sort()).toEqual(["grows beans", "grows figs", "grows leeks"]);
      },
    },
    {
      rules: ["X3", "E3"],
      title: "of two processes that distil at once only one is at it",
      async run({ memory }) {
        const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
        const { promise: told, resolve: tell } = Promise.withResolvers<void>();
        const slow = memory({
          policy: SCHEDULED,
          distiller: async (input) => {
            reach();
            await told;
            return naming("grows")(input);
          },
        });
        await slow.conversation({ id: "c", subject: "ana" }).record({ id: "beans", messages: [user("I grow beans")] });
        const first = slow.distill();
        await reached;
        expect(await memory({ policy: SCHEDULED, distiller: naming("tends") }).distill()).toEqual({ found: 0 });
        tell();
        expect(await first).toEqual({ found: 1 });
      },
    },
    {
      rules: ["X9", "A2"],
      title: "an event is taken in once, read once, and goes with its person",
      async run({ memory }) {
        const read: string[] = [];
        const here = memory({
          policy: SCHEDULED,
          distiller: ({ events }) => {
            read.push(...events.map(({ id }) => id));
            return events.map(({ id }) => ({
              topic: id,
              value: "a flight",
              quote: "a flight",
              turn: id,
              confidence: 1,
            }));
          },
        });
        const event = { id: "m1", subject: "ana", source: "mail", text: "About a flight.", at: "2026-02-01T08:00:00Z" };
        expect((await here.ingest(event)).status).toBe("stored");
        expect((await memory().ingest(event)).status).toBe("unchanged");
        expect(await here.distill()).toEqual({ found: 1 });
        expect(await here.distill()).toEqual({ found: 0 });
        expect(read).toEqual(["m1"]);
        await here.subject("ana").erase();
        const { events, facts } = await memory().subject("ana").audit();
        expect([events, facts]).toEqual([[], []]);
      },
    },
    {
      rules: ["C1", "C2", "C4"],
      title: "what is carried over is shown in the login's next conversation, by any process, until it is deleted",
      async run({ memory }) {
        const here = memory({ summarizer: extractiveSummarizer() });
        const login = "monday";
        await here
          .conversation({ id: "a", subject: "ana", login })
          .record({ messages: [user("My ferry leaves from pier nine."), assistant("Noted.")] });
        await here.settled();
        const there = memory({ summarizer: extractiveSummarizer() });
        const blockOf = (id: string, subject: string, at: string) =>
          there.conversation({ id, subject, login: at }).systemContext();
        expect(await blockOf("b", "ana", login)).toContain("pier nine");
        expect(await blockOf("a", "ana", login)).toBe("");
        expect(await blockOf("b", "bo", login)).toBe("");
        expect(await blockOf("b", "ana", "tuesday")).toBe("");
        await there.subject("ana").deleteCarryOver();
        expect(await blockOf("b", "ana", login)).toBe("");
      },
    },
    {
      rules: ["G6", "A1", "A2"],
      title: "what nobody said is seen in the audit, in no prompt, and goes with its conversation",
      async run({ memory }) {
        const distiller = (): FactCandidate[] => [{ key: "dog", value: "Rex", quote: "my dog Rex", confidence: 1 }];
        const here = memory({ policy: AFTER_REPLY, distiller });
        const chat = here.conversation({ id: "c", subject: "ana" });
        await chat.record({ id: "t1", messages: [user("Hello.")] });
        await here.settled();
        const ana = memory().subject("ana");
        expect((await ana.audit()).quarantined).toMatchObject([{ value: "Rex", code: "QUOTE_NOT_FOUND", turn: "t1" }]);
        expect(await ana.facts()).toEqual([]);
        expect(await chat.systemContext()).toBe("");
        await chat.delete();
        expect((await ana.audit()).quarantined).toEqual([]);
      },
    },
  ],
};
