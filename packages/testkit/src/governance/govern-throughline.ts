import {
  createMemory,
  type Fact,
  inMemoryStore,
  type Memory,
  type MemoryOptions,
  modelDistiller,
} from "@throughline/core";
import type { GovernedMemory, GovernedTurn, MakeGovernedMemory } from "./governed-memory.ts";

/** What the scripted model answers to the extraction prompt of a turn. */
export function scriptedAnswer({ proposes, isBroken }: GovernedTurn): string {
  const facts = proposes.map(({ key, text, quote, type = "fact" }) => ({
    key,
    topic: key,
    value: text,
    type,
    confidence: 0.9,
    quote,
  }));
  const whole = JSON.stringify({ facts });
  // Cut off in the middle of the second one.
  return isBroken ? whole.slice(0, whole.lastIndexOf('"quote"')) : whole;
}

const textOf = ({ value }: Fact): string => (typeof value === "string" ? value : JSON.stringify(value));

/** This library under the suite: extraction after the reply, by the scripted model. */
export const governThroughline =
  (options: Pick<MemoryOptions, "store"> = {}): MakeGovernedMemory =>
  async () => {
    const answers = new Map<string, string>();
    const memory = createMemory({
      agent: "governed",
      env: {},
      store: options.store ?? inMemoryStore(),
      onEvent: () => undefined,
      policy: { extract: { when: "after-reply" } },
      distiller: (input) => {
        const [turn] = input.turns;
        const answer = answers.get(turn?.id ?? "") ?? '{"facts": []}';
        return modelDistiller(() => Promise.resolve(answer))(input);
      },
    });
    return governed(memory, answers);
  };

function governed(memory: Memory, answers: Map<string, string>): GovernedMemory {
  const facts = (subject: string) => memory.subject(subject).facts();
  const named = async (subject: string, text: string) =>
    (await facts(subject)).find((fact) => textOf(fact).includes(text));
  return {
    async turn(turn) {
      answers.set(turn.id, scriptedAnswer(turn));
      const { id, conversation, subject, at, user, assistant, tool } = turn;
      await memory.conversation({ id: conversation, subject }).record({
        id,
        startedAt: at,
        messages: [
          { role: "user", content: user },
          ...(tool === undefined
            ? []
            : [
                {
                  role: "assistant" as const,
                  parts: [{ type: "tool-call" as const, callId: id, tool: tool.name, input: {} }],
                },
                {
                  role: "tool" as const,
                  parts: [{ type: "tool-result" as const, callId: id, tool: tool.name, output: tool.output }],
                },
              ]),
          { role: "assistant", content: assistant },
        ],
      });
      await memory.settled();
    },
    known: async (subject) => (await facts(subject)).map(textOf),
    prompt: (subject, conversation) => memory.conversation({ id: conversation, subject }).systemContext(),
    async forget(subject, { key }) {
      const { forgotten } = await memory.conversation({ id: "forget", subject }).forget(key);
      return forgotten;
    },
    async erase(subject) {
      const { removed } = await memory.subject(subject).erase();
      return Object.values(removed).reduce((sum, count) => sum + count, 0);
    },
    async history(subject) {
      const all = await memory.subject(subject).facts({ history: true });
      return all.filter(({ validTo }) => validTo !== undefined).map(textOf);
    },
    async why(subject, text) {
      const source = (await named(subject, text))?.source;
      return source === undefined
        ? null
        : { turn: source.turn, ...(source.quote === undefined ? {} : { quote: source.quote }) };
    },
    async undo(subject, text) {
      const fact = await named(subject, text);
      return fact !== undefined && (await memory.subject(subject).undo(fact.id)).status === "stored";
    },
    export: async (subject) => JSON.stringify(await memory.subject(subject).export()),
    close: () => memory.close(),
  };
}
