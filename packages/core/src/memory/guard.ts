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

/**
 * The public edge: checks the arguments of each method of a new handle, and lets nothing out but `MemoryError`s. The
 * object stays the one it is; it is given when it is new and nobody else has it.
 */
export function guard<T extends object>(target: T, kind: string): T {
  for (const name of Object.keys(target) as (keyof T & string)[]) {
    const member: unknown = target[name];
    if (typeof member !== "function") continue;
    const call = `${kind}.${name}`;
    const shapes = CALL_SHAPES[call] ?? [];
    // The member is a function, as was looked at; its arguments are what the app gives.
    const method = member as (...args: unknown[]) => unknown;
    const atOnce = (...args: unknown[]): unknown => {
      try {
        checkCall(call, shapes, args);
        return method.apply(target, args);
      } catch (error) {
        throw asCallError(error, call);
      }
    };
    const later = async (...args: unknown[]): Promise<unknown> => {
      try {
        checkCall(call, shapes, args);
        return await method.apply(target, args);
      } catch (error) {
        throw asCallError(error, call);
      }
    };
    Object.assign(target, { [name]: AT_ONCE.has(name) ? atOnce : later });
  }
  return target;
}
