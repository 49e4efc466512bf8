import { fork } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConversationRef, MemoryPolicyInput } from "@throughline/core";
import { onTestFinished } from "vitest";

/** What a peer's memory is made of. */
export interface PeerOptions {
  path: string;
  policy?: MemoryPolicyInput;
  parts?: ("summarizer" | "sink" | "embedder" | "distiller")[];
  /** How far its clock is ahead: leases of others look that much older. */
  clockAheadMs?: number;
}

/** Whose method. */
type Target =
  | { on: "memory" }
  | { on: "operator" }
  | { on: "conversation"; ref: ConversationRef }
  | { on: "subject"; id: string }
  | { on: "turn"; turn: number };

/** What a parent asks of a peer. */
export type PeerRequest =
  | (Target & { method: string; args: readonly unknown[]; times?: readonly (readonly unknown[])[] })
  | { close: string }
  | { open: string }
  | { given: true };

/** What a peer says: an answer, or where it stands. */
export type PeerReply = { at: string } | { number: number; value: unknown } | { number: number; failed: string };

/** A process with a memory of its own. What a call throws with a code is answered as `{ thrown: code }`. */
export interface Peer {
  call<Answer>(target: Target, method: string, ...args: unknown[]): Promise<Answer>;
  /** Calls one after the other inside the process, without waiting for the parent in between. */
  callEach<Answer>(target: Target, method: string, times: readonly (readonly unknown[])[]): Promise<Answer[]>;
  /** From now on the peer waits at the gate `summarizer`, `sink` or `distiller`. */
  hold(gate: string): Promise<void>;
  /** Resolves once it has stood at the gate since the last `at`. */
  at(gate: string): Promise<void>;
  release(gate: string): Promise<void>;
  /** What its sink and embedder were given. */
  given(): Promise<{ sunk: string[]; embedded: string[] }>;
}

/** Starts a peer; it ends with the test. */
export async function startPeer(options: PeerOptions): Promise<Peer> {
  const child = fork(join(import.meta.dirname, "peer-process.ts"), [JSON.stringify(options)], {
    execArgv: ["--conditions=@throughline/source", "--no-warnings"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "throughline-compile-cache") },
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  const places = new Map<string, PromiseWithResolvers<void>>();
  let number = 0;

  const place = (gate: string): PromiseWithResolvers<void> => {
    const known = places.get(gate) ?? Promise.withResolvers<void>();
    places.set(gate, known);
    return known;
  };
  child.on("message", (reply: PeerReply) => {
    if ("at" in reply) return place(reply.at).resolve();
    const waiting = asked.get(reply.number);
    asked.delete(reply.number);
    if ("failed" in reply) waiting?.reject(new Error(reply.failed));
    else waiting?.resolve(reply.value);
  });
  child.on("exit", (code) => {
    for (const waiting of asked.values()) waiting.reject(new Error(`The peer ended with ${String(code)}.`));
  });
  const ask = <Answer>(request: PeerRequest): Promise<Answer> => {
    const waiting = Promise.withResolvers<unknown>();
    asked.set(++number, waiting);
    child.send({ number, request });
    // The caller names the type of the method that it asks for.
    return waiting.promise as Promise<Answer>;
  };
  const at = async (gate: string) => {
    await place(gate).promise;
    places.delete(gate);
  };
  await at("ready");
  return {
    call: (target, method, ...args) => ask({ ...target, method, args }),
    callEach: (target, method, times) => ask({ ...target, method, args: [], times }),
    hold: (gate) => ask({ close: gate }),
    at,
    release: (gate) => ask({ open: gate }),
    given: () => ask({ given: true }),
  };
}
