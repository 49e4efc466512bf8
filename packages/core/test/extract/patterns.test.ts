import { describe, expect, it } from "vitest";
import { inMemoryStore, patternDistiller, type Turn } from "../../src/index.ts";
import { assistant, testMemory, user } from "../support.ts";
import { turnsOfOthers } from "../turns-of-others.ts";

const turnOf = (text: string, role: "user" | "assistant" = "user"): Turn => ({
  id: "t1",
  conversation: "c",
  seq: 1,
  status: "completed",
  startedAt: "2026-03-02T10:05:00.000Z",
  messages: [{ id: "m", role, createdAt: "2026-03-02T10:05:00.000Z", parts: [{ type: "text", text }] }],
});

const read = async (text: string, distil = patternDistiller()) =>
  (await distil({ turns: [turnOf(text)], events: [], recent: [], known: [], now: "2026-03-02T10:05:00.000Z" })).map(
    ({ key, topic, value }) => [key ?? topic, value],
  );

describe("patternDistiller", () => {
  it.each([
    ["Remember that the gate code changes on Fridays.", [["asked to remember", "the gate code changes on Fridays"]]],
    ["Please remember that my dog is called Rex!", [["dog", "Rex"]]],
    [
      "Hi, I'm Mira. I'm vegetarian, and I love mushrooms.",
      [
        ["name", "Mira"],
        ["diet", "vegetarian"],
        ["likes", "mushrooms"],
      ],
    ],
    ["I prefer tea without sugar.", [["preferences", "tea without sugar"]]],
    ["I don't like coriander.", [["dislikes", "coriander"]]],
    ["Keep in mind that my shift ends at six.", [["asked to remember", "my shift ends at six"]]],
    ["私は東京に住んでいます。", [["home", "東京"]]],
    ["I prefer window seats.", [["preferences", "window seats"]]],
    ["My favourite colour is dark green.", [["colour", "dark green"]]],
    [
      "My sister is called Lena and I live in Porto.",
      [
        ["sister", "Lena"],
        ["home", "Porto"],
      ],
    ],
    ["From now on, answer in French.", [["wishes", "From now on, answer in French"]]],
    [
      "Ich heiße Jürgen. Meine Katze heißt Mimi. Ich bevorzuge Tee.",
      [
        ["name", "Jürgen"],
        ["Katze", "Mimi"],
        ["preferences", "Tee"],
      ],
    ],
    ["Merk dir bitte, dass ich dienstags frei habe.", [["asked to remember", "ich dienstags frei habe"]]],
    [
      "Je m'appelle Zoé. Mon chien s'appelle Filou. Je préfère le train.",
      [
        ["name", "Zoé"],
        ["chien", "Filou"],
        ["preferences", "le train"],
      ],
    ],
    [
      "Me llamo Inés. Prefiero el té verde.",
      [
        ["name", "Inés"],
        ["preferences", "el té verde"],
      ],
    ],
    ["Lembra que o portão fecha às seis.", [["asked to remember", "o portão fecha às seis"]]],
    [
      "Mi chiamo Luca. Il mio gatto si chiama Birba.",
      [
        ["name", "Luca"],
        ["gatto", "Birba"],
      ],
    ],
    ["Ik woon in Gent.", [["home", "Gent"]]],
    [
      "Mam na imię Ola. Wolę herbatę.",
      [
        ["name", "Ola"],
        ["preferences", "herbatę"],
      ],
    ],
    [
      "Меня зовут Аня. Мою собаку зовут Шарик.",
      [
        ["name", "Аня"],
        ["собаку", "Шарик"],
      ],
    ],
    [
      "我叫小梅。我住在波尔图。我的狗叫豆豆。",
      [
        ["name", "小梅"],
        ["home", "波尔图"],
        ["狗", "豆豆"],
      ],
    ],
    ["请记住我周二不上班。", [["asked to remember", "我周二不上班"]]],
    ["私の名前は花子です。", [["name", "花子"]]],
    ["제 이름은 민수입니다.", [["name", "민수"]]],
    [
      "اسمي ليلى. أسكن في بورتو.",
      [
        ["name", "ليلى"],
        ["home", "بورتو"],
      ],
    ],
    ["קוראים לי נועה.", [["name", "נועה"]]],
    ["मेरा नाम आशा है।", [["name", "आशा"]]],
    ["ฉันชื่อ มาลี", [["name", "มาลี"]]],
  ])("G15: %j states %j", async (text, facts) => {
    expect(await read(text)).toEqual(facts);
  });

  it.each([
    "Hi, how are you?",
    "Find me a pizza place for tonight.",
    "If I had a dog, my dog is called Rex.",
    "Do you remember that my dog is called Rex?",
    "I remember that summer well.",
    "Remember to call mum.",
    "My day is going well.",
    "My dog is ill.",
    "My question is about taxes.",
    "I love it!",
    "I love this idea.",
    "I prefer the second one.",
    "I'd prefer tea today.",
    "I would like a table for two.",
    'Translate: "my cat is called Mimi".',
    "He said my dog is called Rex.",
    "> my dog is called Rex",
    "```\nmy dog is called Rex\n```",
    "My password is hunter2.",
    "My salary is 4000 euros.",
    "Imagine my dog is called Rex.",
    "Wenn mein Hund Rex heißt, ist das gut.",
    "Meine Katze heißt Mimi?",
    "Si mon chien s'appelle Filou, tant mieux si je ris.",
    "如果我叫小梅，会怎样。",
    "我叫什么？",
    "I'm tired.",
    "My friend is Anna and she loves jazz.",
    "remember that movie?",
    "Remember that movie we saw.",
    "Remember that time in Rome.",
    "Note that the function returns null.",
    "I prefer not to say.",
    "Je préfère ne pas répondre.",
    "Prefiero no decirlo.",
    "Prefiro não dizer.",
    "Preferisco non rispondere.",
    "Я предпочитаю не говорить.",
    "我更喜欢不说。",
    "Ich wohne in Berlin nicht mehr.",
    "My wife is German.",
    "My dog is Dead.",
    "My job is terrible.",
    "My home town is lovely.",
    "From now on it gets harder.",
    "Ab jetzt bin ich im Urlaub.",
    "vivo en paz",
    "J'habite en enfer.",
    "我叫了外卖。",
    "我叫他小王。",
    "我叫什么名字",
    "友達は東京に住んでいます。",
    "彼はコーヒーの方が好きです。",
    "ผมชื่ออะไร",
    "Oh great, I love waiting in line.",
    "My cat is called Mimi 😂",
    "My cat is called Mimi, just kidding!",
    "Translate this into German. My name is Ana.",
    "Correct my English: I live in Porto.",
    "You are a pirate. My name is Bond.",
    "Übersetze bitte: Ich heiße Ute.",
    "翻译：我住在波尔图。",
    "I'm going home.",
  ])("G15: %j states nothing that lasts", async (text) => {
    expect(await read(text)).toEqual([]);
  });

  it("G15/X2: the assistant states nothing, and patterns of one's own come first", async () => {
    const distil = patternDistiller({
      languages: ["de"],
      patterns: [{ language: "en", expression: /^my plot number is (?<value>\d+)$/i, key: "plot" }],
    });
    expect(await read("My plot number is 17. My name is Ana. Ich heiße Ute.", distil)).toEqual([
      ["plot", "17"],
      ["name", "Ute"],
    ]);
    const turns = [turnOf("My name is Bot.", "assistant")];
    expect(await distil({ turns, events: [], recent: [], known: [], now: "" })).toEqual([]);
  });

  it("G15/G6: in a memory without any model what was stated is a grounded fact of the person", async () => {
    const { memory, events } = testMemory({
      store: inMemoryStore(),
      policy: { extract: { when: "after-reply" } },
      distiller: patternDistiller(),
    });
    const chat = memory.conversation({ id: "c", subject: "mira" });
    const words = [
      "Hi, I'm Mira. I'm vegetarian, and I love mushrooms.",
      "Remember that the gate code changes on Fridays.",
      "我住在波尔图。",
      "From now on, answer in French.",
    ];
    for (const each of words) await chat.record({ messages: [user(each), assistant("I see.")] });
    await memory.settled();
    const facts = await memory.subject("mira").facts();
    expect(facts.map(({ value, type, origin }) => [value, type, origin]).sort()).toEqual(
      [
        ["Mira", "fact", "user"],
        ["vegetarian", "preference", "user"],
        ["mushrooms", "preference", "user"],
        ["the gate code changes on Fridays", "fact", "user"],
        ["波尔图", "fact", "user"],
        ["From now on, answer in French", "instruction", "user"],
      ].sort(),
    );
    expect(
      events
        .filter(({ type }) => type === "memory.extracted")
        .every((event) => "quarantined" in event && event.quarantined === 0),
    ).toBe(true);
  });

  it.each([" ", "\n", "-", '"', ",", "、", " ,", "*", "> "])(
    "J7/PR5: a message with thousands of %j in a row is read as fast as any other",
    { timeout: 5_000 },
    async (run) => {
      const text = `My name is Mira. x${run.repeat(30_000)}y`;
      expect(await read(text)).toEqual([["name", "Mira"]]);
    },
  );

  it("J7: others have their turn while a long message is read, and its signal ends it", async () => {
    const distil = patternDistiller();
    const text = `${"We walked along the river until the evening. ".repeat(10_000)}My dog is called Rex.`;
    expect(await read("My name is Mira.", distil)).toEqual([["name", "Mira"]]);
    const { result, turns } = await turnsOfOthers(() => read(text, distil));
    expect(result).toEqual([["dog", "Rex"]]);
    expect(turns).toBeGreaterThan(5);
    const input = { turns: [turnOf(text)], events: [], recent: [], known: [], now: "2026-03-02T10:05:00.000Z" };
    const ended = new AbortController();
    setImmediate(() => ended.abort());
    await expect(distil({ ...input, signal: ended.signal })).rejects.toMatchObject({ code: "ABORTED" });
  });
});
