import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, codeOf, texts, topicEmbedder, user } from "../talk.ts";

/** Search by words and by meaning. */
export const searchSuite: MemorySuite = {
  name: "search",
  cases: [
    {
      rules: ["S1"],
      title: "words are found at once, meaning once it is embedded, each with its reason",
      async run({ memory }) {
        const made = memory({ embedder: topicEmbedder() });
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.record({ id: "t1", messages: [user("my beagle likes to run"), assistant("nice")] });
        expect((await chat.search("beagle")).hits[0]).toMatchObject({ matched: "keyword", turn: "t1", subject: "ana" });
        expect((await chat.search("puppy")).hits).toEqual([]);
        await made.settled();
        expect((await chat.search("puppy")).hits.map((hit) => [hit.turn, hit.matched])).toEqual([["t1", "semantic"]]);
        expect((await chat.search("beagle")).hits[0]).toMatchObject({ matched: "both" });
        expect(await chat.search("quantum")).toMatchObject({ hits: [], reason: expect.any(String) });
      },
    },
    {
      rules: ["S1"],
      title: "what holds a quoted phrase as it stands comes first, by words and by both, however few words are known",
      async run({ memory }) {
        for (const [subject, options] of Object.entries({ ana: {}, bob: { embedder: topicEmbedder() } })) {
          const made = memory(options);
          const chat = made.conversation({ id: `of ${subject}`, subject });
          const said = [
            "the bowl is blue, a bowl as blue as a bowl can be",
            "my beagle sat in the blue bowl",
            "to be or not to be, he said",
            "a blue bowl, and to be or not to be",
            "we had soup",
          ];
          for (const text of said) await chat.record({ messages: [user(text), assistant("well")] });
          await made.settled();
          const found = async (query: string, k = 10) =>
            texts((await chat.search(query, { k })).hits.map((hit) => hit.message));
          expect((await found('which "blue bowl" is it?')).slice(0, 2).sort()).toEqual([said[3], said[1]].sort());
          expect((await found("“to be or not to be”")).slice(0, 2).sort()).toEqual([said[3], said[2]].sort());
          expect((await found('"blue bowl" "or not to be"'))[0]).toBe(said[3]);
          expect(await found('"blue bowl" of the bowl', 2)).toEqual(
            (await found('"blue bowl" of the bowl')).slice(0, 2),
          );
          expect(
            (await found('Which zeppelin engineer from Friedrichshafen ever painted a "blue bowl" purple?'))
              .slice(0, 2)
              .sort(),
          ).toEqual([said[3], said[1]].sort());
        }
      },
    },
    {
      rules: ["S1"],
      title: "a quoted phrase is found wherever it stands in a long message",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        const talk = (words: number) => Array.from({ length: words }, (_, index) => `word${index}`).join(" ");
        const long = Array.from({ length: 12 }, (_, index) => `${talk(37 + index)} turquoise zeppelin ${talk(60)}`);
        for (const text of long) await chat.record({ messages: [user(text)] });
        for (let count = 0; count < 12; count++) await chat.record({ messages: [user("zeppelin and turquoise")] });
        await made.settled();
        const { hits } = await chat.search('which "turquoise zeppelin" was it?', { k: 12 });
        expect(texts(hits.map((hit) => hit.message)).sort()).toEqual(long.sort());
      },
    },
    {
      rules: ["S2"],
      title: "filters hold for words and meaning alike, and nothing of another person is found",
      async run({ memory }) {
        const made = memory({ embedder: topicEmbedder() });
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.record({ messages: [user("my beagle"), assistant("nice")] });
        await made.conversation({ id: "d", subject: "ana" }).record({ messages: [user("another beagle")] });
        await made.conversation({ id: "e", subject: "bob" }).record({ messages: [user("bob's beagle")] });
        await made.settled();
        const at = (await chat.search("another")).hits[0]?.message.createdAt ?? "";
        for (const mode of ["keyword", "semantic"] as const) {
          const found = async (filter: object) =>
            texts((await chat.search("beagle", { mode, ...filter })).hits.map((hit) => hit.message)).sort();
          expect(await found({})).toEqual(["another beagle", "my beagle"]);
          expect(await found({ conversation: "d" })).toEqual(["another beagle"]);
          expect(await found({ role: "assistant" })).toEqual([]);
          expect(await found({ from: at })).toEqual(["another beagle"]);
          expect(await found({ to: at })).toEqual(["my beagle"]);
        }
        expect((await made.operator.search("beagle")).hits).toHaveLength(3);
      },
    },
    {
      rules: ["S5"],
      title: "every script is found by its words",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        const said: readonly [text: string, query: string][] = [
          ["我昨天在北京吃了烤鸭", "烤鸭"],
          ["来週の会議は東京です", "会議"],
          ["ฉันชอบกินส้มตำ", "ส้มตำ"],
          ["أحب القهوة في الصباح", "القهوة"],
          ["אני גר בחיפה", "בחיפה"],
          ["the cafe\u0301 is closed", "CAFÉ"],
          ["party 🎉 tonight", "🎉"],
          ["call parseJsonValue now", "parseJsonValue"],
          ["write to ana@example.org", "ana@example.org"],
        ];
        for (const [index, [text]] of said.entries()) await chat.record({ id: `t${index}`, messages: [user(text)] });
        for (const place of ["scanned", "indexed"]) {
          for (const [index, [, query]] of said.entries()) {
            const found = (await chat.search(query)).hits.map((hit) => hit.turn);
            expect(found, `${query} ${place}`).toContain(`t${index}`);
          }
          await made.settled();
        }
      },
    },
    {
      rules: ["S2", "X7"],
      title: "a day that is named is that of whoever asks, indexed or not, alone and beside other words",
      async run({ memory }) {
        const made = memory({ timeZone: "America/Los_Angeles" });
        const chat = made.conversation({ id: "c", subject: "ana" });
        const say = (id: string, createdAt: string) =>
          chat.record({ id, startedAt: createdAt, messages: [{ ...user("we baked bread"), createdAt }] });
        for (let day = 1; day < 20; day++) {
          const two = (number: number): string => String(number).padStart(2, "0");
          await say(`${day} am`, `2026-02-${two(day)}T17:00:00.000Z`);
          // Nine in the evening there.
          await say(`${day} pm`, `2026-02-${two(day + 1)}T05:00:00.000Z`);
          if (day === 10) await made.settled();
        }
        for (const place of ["half indexed", "indexed"]) {
          const found = async (query: string, k: number) =>
            (await made.subject("ana").search(query, { k })).hits.map(({ turn }) => turn);
          for (const day of [7, 15]) {
            const both = [`${day} pm`, `${day} am`];
            expect(await found(`What happened on February ${day}th?`, 40), place).toEqual(both);
            expect(await found(`Was war am ${day}.2.2026?`, 40), place).toEqual(both);
            expect(await found(`When was bread baked on ${day} February?`, 2), place).toEqual(both);
          }
          expect(await found("What happened before February 2nd?", 40), place).toEqual(["1 pm", "1 am"]);
          expect(await found("What happened since February 19th?", 40), place).toEqual(["19 pm", "19 am"]);
          await made.settled();
        }
      },
    },
    {
      rules: ["S4"],
      title: "another model's vectors are never answered with, and reindex embeds anew",
      async run({ memory }) {
        const first = memory({ embedder: topicEmbedder() });
        await first.conversation({ id: "c", subject: "ana" }).record({ id: "t1", messages: [user("my beagle")] });
        await first.settled();
        const told: string[] = [];
        const other = memory({
          embedder: topicEmbedder({ modelId: "topics@2" }),
          onEvent: ({ type }) => told.push(type),
        });
        const chat = other.conversation({ id: "c", subject: "ana" });
        expect(await chat.search("puppy")).toMatchObject({ hits: [], code: "EMBEDDING_MODEL_MISMATCH" });
        expect(await codeOf(() => chat.search("puppy", { mode: "semantic" }))).toBe("EMBEDDING_MODEL_MISMATCH");
        for (const id of ["t2", "t3"]) {
          await chat.record({ id, messages: [user("a cup of tea")] });
          await other.settled();
        }
        expect(told.filter((type) => type === "memory.not_embedded")).toHaveLength(1);
        expect(await other.reindex()).toEqual({ conversations: 1, embedded: 3 });
        expect((await chat.search("puppy")).hits[0]?.turn).toBe("t1");
      },
    },
    {
      rules: ["S6", "E3"],
      title: "a turn whose embedder failed is found by its words, and embedded by another process later",
      async run({ memory }) {
        const fails = () => {
          throw new Error("down");
        };
        const made = memory({ embedder: topicEmbedder({ before: fails }) });
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.record({ id: "t1", messages: [user("my beagle")] });
        await made.settled();
        expect(await chat.search("beagle")).toMatchObject({ hits: [{ turn: "t1" }], code: "EMBEDDER_FAILED" });
        const later = memory({ embedder: topicEmbedder() });
        await later.sweep();
        expect((await later.subject("ana").search("puppy")).hits).toHaveLength(1);
      },
    },
  ],
};
