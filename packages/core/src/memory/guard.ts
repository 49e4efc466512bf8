import { MemoryError } from "../errors/memory-error.ts";
import { CALL_SHAPES, checkCall } from "./call-shapes.ts";

/** Members of the public handles that answer at once; all others answer a promise, and reject where others throw. */
const AT_ONCE = new Set(["conversation", "subject", "records", "start", "artifact", "preflight", "append", "explain"]);

/** What escaped from a call of the app's, as a `MemoryError`: every failure of the memory itself has a code already. */
function asCallError(error: unknown, call: string): MemoryError {
  if (MemoryError.isInstance(error)) return error;
  return new MemoryError(
    "INVALID_ARGUMENT",
    `${call} could not work with what it was given: the arguments have the wrong shape. The cause says where.`,
    { cause: error, details: { call } },
  );
}

type Method = (...args: unknown[]) => unknown;

// Handles are made for every turn: what a call needs is looked up as it is called, and making one costs a closure.
const shapesOf = (call: string) => CALL_SHAPES[call] ?? [];

/** A method that answers at once. */
const atOnce =
  (target: object, kind: string, name: string, method: Method): Method =>
  (...args) => {
    const call = `${kind}.${name}`;
    try {
      checkCall(call, shapesOf(call), args);
      return method.apply(target, args);
    } catch (error) {
      throw asCallError(error, call);
    }
  };

/** A method that answers a promise; bad arguments reject it. */
const later =
  (target: object, kind: string, name: string, method: Method): Method =>
  async (...args) => {
    const call = `${kind}.${name}`;
    try {
      checkCall(call, shapesOf(call), args);
      return await method.apply(target, args);
    } catch (error) {
      throw asCallError(error, call);
    }
  };

/**
 * The public edge: checks the arguments of each method of a new handle, and lets nothing out but `MemoryError`s. The
 * object stays the one it is; it is given when it is new and nobody else has it.
 */
export function guard<T extends object>(target: T, kind: string): T {
  // A handle's own members are its public ones; what takes their place takes and answers the same.
  const members = target as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member !== "function") continue;
    const guarded = AT_ONCE.has(name) ? atOnce : later;
    members[name] = guarded(target, kind, name, member as Method);
  }
  return target;
}
