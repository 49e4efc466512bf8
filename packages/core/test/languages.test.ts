import { expect, it } from "vitest";
import { testMemory, user } from "./support.ts";

/** What somebody says, and a question that says it in other forms of the same words: of many languages, by hand. */
const SAID: Readonly<Record<string, readonly (readonly [said: string, asked: string])[]>> = {
  English: [
    ["I was painting sunsets at the beach", "Who painted a sunset?"],
    ["my cousins are moving to Leeds", "Which cousin moves?"],
    ["we adopted two kittens", "Do I have a kitten?"],
    ["I bought a tent for the children", "What did I buy for the child?"],
    ["my favourite colour is teal", "What is my favorite color?"],
  ],
  German: [
    ["Ich habe drei Häuser am See verkauft", "Welches Haus?"],
    ["Meine Katzen schlafen auf dem Sofa", "Wo schläft die Katze?"],
    ["Wir haben im Garten Bäume gepflanzt", "Hat sie einen Baum im Garten?"],
  ],
  French: [
    ["J'ai acheté des chevaux pour la ferme", "Où est le cheval?"],
    ["Nous avons travaillé dans les jardins", "Qui est le travailleur du jardin?"],
    ["Ma sœur est une chanteuse connue", "Qui sont les chanteuses?"],
  ],
  Spanish: [
    ["Ayer compré dos camiones rojos", "¿Qué camión?"],
    ["Mis perros ladran por la noche", "¿Ladra el perro?"],
    ["Me gustan las canciones de mi tía", "¿Cuál es la canción?"],
  ],
  Italian: [
    ["Ho letto molti libri di storia", "Qual è il libro?"],
    ["I miei gatti dormono sul divano", "Dove dorme il gatto?"],
    ["Lavoravo in una scuola di Roma", "Chi lavora nelle scuole?"],
  ],
  Portuguese: [
    ["Eu gosto dos filmes da minha avó", "Qual filme?"],
    ["Os meus cachorros dormem no jardim", "Onde dorme o cachorro?"],
    ["Comprei três livros de poesia", "O que é o livro?"],
  ],
  Dutch: [
    ["Ik heb twee honden en een kat", "Hoe heet de hond?"],
    ["Wij hebben de boeken van oma", "Waar is het boek?"],
    ["Mijn zus heeft mooie tuinen", "Van wie is de tuin?"],
  ],
  Swedish: [
    ["Jag har tre katter och en hund", "Var är katten?"],
    ["Flickorna spelade på gården", "Vad är det för flicka?"],
    ["Bilarna står på gården hos mormor", "Var är bilen?"],
  ],
  Russian: [
    ["Я прочитал книги о море", "Какая книга?"],
    ["Мои собаки спят на диване", "Где собака?"],
    ["Мы работали в больнице", "Кто работает в больницах?"],
  ],
  Turkish: [
    ["Ben dün kitaplarımı sattım", "Hangi kitap?"],
    ["Benim kedilerim bahçede uyuyor", "Bu kedi nerede?"],
    ["Benim kardeşlerim okulda", "Kardeş nerede?"],
  ],
  Greek: [
    ["Έχω δύο σκύλους και μια γάτα", "Πού είναι ο σκύλος;"],
    ["Αγόρασα δύο βάρκες στο νησί", "Ποια βάρκα;"],
    ["Οι γείτονες έχουν κήπους", "Πού είναι ο κήπος;"],
  ],
  Arabic: [
    ["اشتريت الكتاب من السوق", "أين كتاب؟"],
    ["المدرسة قريبة من البيت", "هل هذه مدرسة؟"],
    ["عندي سيارة حمراء", "أين السيارة؟"],
  ],
  Hindi: [
    ["मेरे पास बहुत किताबें हैं", "कौन सी किताब?"],
    ["वह लड़कियाँ स्कूल में हैं", "वह लड़की कौन है?"],
    ["मेरा घर नदी के पास है", "यह घरों में क्या है?"],
  ],
};

it.each(Object.entries(SAID))("S5: a question in other forms of the words is answered, in %s", async (_, pairs) => {
  const { memory } = testMemory();
  const chat = memory.conversation({ id: "c", subject: "ana" });
  for (const [said] of pairs) await chat.record({ messages: [user(said)] });
  for (const text of ["12345", "ok ok", "🎉"]) await chat.record({ messages: [user(text)] });
  await memory.settled();
  for (const [said, asked] of pairs) {
    const [first] = (await chat.search(asked)).hits;
    expect(first?.message.parts, asked).toEqual([{ type: "text", text: said }]);
  }
});

it.each(Object.entries(SAID))("F6/S5: a fact is recalled by other forms of its words, in %s", async (_, pairs) => {
  const { memory } = testMemory();
  const chat = memory.conversation({ id: "c", subject: "ana" });
  for (const [said] of pairs) await chat.remember({ value: said });
  for (const [said, asked] of pairs) {
    const [first] = (await chat.recall({ query: asked })).facts;
    expect(first?.value, asked).toBe(said);
  }
});

it("F6: a fact is recalled by other spellings of its words", async () => {
  const { memory } = testMemory();
  const chat = memory.conversation({ id: "c", subject: "ana" });
  await chat.remember({ value: "Herr Müller hat 1,000 Bücher" });
  for (const query of ["Mueller", "muller", "1000"]) {
    expect((await chat.recall({ query })).facts, query).toHaveLength(1);
  }
});

/** What one person said, in a memory of little else, and questions: each with what answers it, or nothing. */
const SMALL: readonly {
  said: readonly string[];
  asked: readonly (readonly [question: string, answer: number | null])[];
}[] = [
  {
    said: ["我的狗叫旺财，是一只金毛。", "我住在杭州。"],
    asked: [
      ["我的猫叫什么？", null],
      ["我的狗叫什么名字？", 0],
      ["我住在哪里？", 1],
      ["谁是我的老板？", null],
      ["为什么我迟到了？", null],
    ],
  },
  {
    said: ["猫が好きです。", "昨日は京都に行きました。"],
    asked: [
      ["犬の名前は何ですか？", null],
      ["誰と住んでいますか？", null],
      ["どこに行きましたか？", 1],
      ["何が好きですか？", 0],
    ],
  },
];

it("S5/G8: in a small memory no sentence answers by the small words of a script without spaces", async () => {
  for (const { said, asked } of SMALL) {
    const { memory } = testMemory();
    for (const [n, text] of said.entries()) {
      await memory.conversation({ id: `c${n}`, subject: "a" }).record({ id: `t${n}`, messages: [user(text)] });
    }
    for (const [question, answer] of asked) {
      const { hits } = await memory.subject("a").search(question);
      expect(hits[0]?.turn, question).toBe(answer === null ? undefined : `t${answer}`);
    }
  }
});

it("S5: a character that says little by itself is still found where nothing else is asked for", async () => {
  const { memory } = testMemory();
  const chat = memory.conversation({ id: "c", subject: "a" });
  for (const [n, text] of ["他叫小明", "あそぼう", "เก่ง"].entries()) {
    await chat.record({ id: `t${n}`, messages: [user(text)] });
  }
  for (const [n, question] of ["叫", "あ", "เ"].entries()) {
    expect((await memory.subject("a").search(question)).hits[0]?.turn, question).toBe(`t${n}`);
  }
});
