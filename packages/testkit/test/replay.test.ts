import {
  anthropicSummarizer,
  createMemory,
  inMemoryStore,
  modelDistiller,
  openaiDistiller,
  openaiSummarizer,
} from "@throughline/core";
import { locomoRecording, locomoTurns, readLocomo, replayModel } from "@throughline/testkit";
import { describe, expect, it } from "vitest";

/** In the form of LoCoMo, and nobody's data. */
const SAMPLE = [
  {
    sample_id: "conv-0",
    conversation: {
      speaker_a: "Ida",
      speaker_b: "Per",
      session_1_date_time: "1:56 pm on 8 May, 2023",
      session_1: [
        { dia_id: "D1:1", speaker: "Per", text: "Hey <Ida>! My ferry was late." },
        { dia_id: "D1:2", speaker: "Ida", text: "Hi! I planted 12 apple trees.", blip_caption: "an orchard" },
        { dia_id: "D1:3", speaker: "Per", text: "I bought a red boat." },
        { dia_id: "D1:4", speaker: "Ida", text: "Lovely & loud, I guess." },
      ],
      session_2_date_time: "9:00 am on 9 May, 2023",
    },
    session_summary: { session_1_summary: "Ida planted apple trees; Per bought a boat." },
    observation: {
      session_1_observation: {
        Ida: [["Ida planted 12 apple trees.", "D1:2"]],
        Per: [["Per bought a red boat.", ["D1:3"]]],
      },
    },
  },
];

describe("replayed models", () => {
  it("X2/X8: answer the extraction prompt of the turn they were recorded for, the same by every way", async () => {
    const [sample] = readLocomo(SAMPLE);
    if (sample === undefined) throw new Error("no sample");
    const [session] = sample.sessions;
    expect(session?.at).toBe("2023-05-08T13:56:00.000Z");
    for (const person of sample.speakers) {
      const model = replayModel(locomoRecording(sample, person));
      const distillers = [
        modelDistiller((prompt) => Promise.resolve(model.ask(prompt))),
        openaiDistiller({ apiKey: "k", fetch: model.fetch }),
      ];
      for (const distiller of distillers) {
        const memory = createMemory({
          agent: "a",
          env: {},
          store: inMemoryStore(),
          policy: { extract: { when: "after-reply" } },
          distiller,
        });
        const turns = session === undefined ? [] : locomoTurns(session, person);
        for (const { id, conversation, at, messages } of turns) {
          await memory.conversation({ id: conversation, subject: person }).record({ id, startedAt: at, messages });
        }
        await memory.settled();
        const facts = await memory.subject(person).facts();
        expect(facts.map(({ value }) => value)).toEqual([
          person === "Ida" ? "Ida planted 12 apple trees." : "Per bought a red boat.",
        ]);
        expect(facts[0]?.source?.quote).toContain(person === "Ida" ? "12 apple trees" : "a red boat");
      }
      expect(model.counts.misses).toBe(0);
    }
  });

  it("W4: answer the summary prompt with what was recorded of its turns", async () => {
    const [sample] = readLocomo(SAMPLE);
    if (sample === undefined) throw new Error("no sample");
    const model = replayModel(locomoRecording(sample, "Ida"));
    const turns = sample.sessions.flatMap((session) => locomoTurns(session, "Ida"));
    const input = {
      previous: "Before.",
      maxTokens: 200,
      turns: turns.map(({ id, conversation, at, messages }, index) => ({
        id,
        conversation,
        seq: index + 1,
        status: "completed" as const,
        startedAt: at,
        messages: messages.map(({ id: message = "", role, content = "" }) => ({
          id: message,
          role,
          createdAt: at,
          parts: [{ type: "text" as const, text: content }],
        })),
      })),
    };
    for (const make of [openaiSummarizer, anthropicSummarizer]) {
      const summarizer = make({ apiKey: "k", fetch: model.fetch });
      expect(await summarizer(input)).toBe("Before. Ida planted apple trees; Per bought a boat.");
    }
  });

  it("X8: what was recorded broken is answered broken, and what wasn't recorded is a miss", () => {
    const model = replayModel({ extractions: [{ said: ["Hello."], answer: '{"facts": [{"val' }] });
    const prompt = (words: string) => ({
      instructions: "",
      text: `<turn label="t1" time="x">\n<user>${words}</user>\n</turn>`,
    });
    expect(model.ask(prompt("Hello."))).toBe('{"facts": [{"val');
    expect(model.ask(prompt("Bye."))).toBe('{"facts": []}');
    expect(model.counts).toEqual({ extractions: 2, summaries: 0, misses: 1 });
  });
});
