// A process with a memory of its own on a shared file. Its parent tells it what to call, and holds it at gates.
import {
  createMemory,
  type Distiller,
  type Embedder,
  MemoryError,
  patternDistiller,
  type Sink,
  type Summarizer,
} from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import type { PeerOptions, PeerReply, PeerRequest } from "./peer.ts";

const options: PeerOptions = JSON.parse(process.argv[2] ?? "{}");
const gates = new Map<string, PromiseWithResolvers<void>>();
/** What the sink and the embedder were given, in order. */
const given: { sunk: string[]; embedded: string[] } = { sunk: [], embedded: [] };
/** Open turns by the number that the parent knows them by. */
const turns = new Map<number, object>();

const say = (reply: PeerReply) => process.send?.(reply);

/** Waits where the parent has closed the gate. */
async function pass(gate: string): Promise<void> {
  const closed = gates.get(gate);
  if (closed === undefined) return;
  say({ at: gate });
  await closed.promise;
}

/** Names every turn it was given, so that nothing can be folded twice or lost unseen. */
const summarizer: Summarizer = async ({ previous, turns: folded }) => {
  await pass("summarizer");
  const names = folded.map((turn) => turn.id);
  return [...(previous === null ? [] : [previous]), ...names].join(" ");
};

const sink: Sink = async ({ turn }) => {
  await pass("sink");
  given.sunk.push(turn.id);
};

const distiller: Distiller = async (input) => {
  await pass("distiller");
  return patternDistiller()(input);
};

const embedder: Embedder = {
  modelId: "lengths@1",
  dimensions: 2,
  embed: async (texts, { kind }) => {
    if (kind === "document") given.embedded.push(...texts);
    return texts.map((text) => Float32Array.from([text.length, 1]));
  },
};

const memory = createMemory({
  agent: "helper",
  store: sqliteStore({ path: options.path }),
  env: {},
  onEvent: () => undefined,
  clock: () => new Date(Date.now() + (options.clockAheadMs ?? 0)),
  ...(options.policy === undefined ? {} : { policy: options.policy }),
  ...(options.parts?.includes("summarizer") ? { summarizer } : {}),
  ...(options.parts?.includes("sink") ? { sinks: [sink] } : {}),
  ...(options.parts?.includes("embedder") ? { embedder } : {}),
  ...(options.parts?.includes("distiller") ? { distiller } : {}),
});

function targetOf(request: Extract<PeerRequest, { method: string }>): object {
  switch (request.on) {
    case "memory":
      return memory;
    case "operator":
      return memory.operator;
    case "conversation":
      return memory.conversation(request.ref);
    case "subject":
      return memory.subject(request.id);
    case "turn":
      return turns.get(request.turn) ?? raise(`There is no open turn ${request.turn}.`);
  }
}

function raise(problem: string): never {
  throw new Error(problem);
}

async function call(target: object, method: string, args: readonly unknown[]): Promise<unknown> {
  const member: unknown = Reflect.get(target, method);
  if (typeof member !== "function") raise(`There is no method ${method}.`);
  try {
    return hand(await member.apply(target, args));
  } catch (error) {
    if (!MemoryError.isInstance(error)) throw error;
    return { thrown: error.code };
  }
}

/** What the parent gets: an open turn stays here, and the parent gets a number for it. */
function hand(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("complete" in value)) return value;
  const number = turns.size + 1;
  turns.set(number, value);
  return number;
}

async function answer(request: PeerRequest): Promise<unknown> {
  if ("close" in request) {
    gates.set(request.close, Promise.withResolvers<void>());
    return undefined;
  }
  if ("open" in request) {
    gates.get(request.open)?.resolve();
    gates.delete(request.open);
    return undefined;
  }
  if ("given" in request) return given;
  const target = targetOf(request);
  if (request.times === undefined) return call(target, request.method, request.args);
  const answers: unknown[] = [];
  for (const args of request.times) answers.push(await call(target, request.method, args));
  return answers;
}

process.on("message", async ({ number, request }: { number: number; request: PeerRequest }) => {
  try {
    say({ number, value: await answer(request) });
  } catch (error) {
    say({ number, failed: String(error) });
  }
});
process.on("disconnect", () => process.exit());
say({ at: "ready" });
