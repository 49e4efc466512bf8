import type { BaseMessage } from "@langchain/core/messages";
import { extraArguments, isMessage, MESSAGE_FIELDS, messageTag } from "./messages.ts";

/** More values than this are written anew instead of being compared. */
const LONGEST = 20_000;
/** So is what is nested deeper, a circle among it: writing it tells what is wrong with it. */
const DEEPEST = 100;

/** The kinds of what a trace goes through. */
const ARRAY = Symbol("array");
const OBJECT = Symbol("object");
const END = Symbol("end");

/**
 * Adds to a trace what a plain object, an array, a message or a text holds: every value in it, in order. Texts and numbers are
 * held as they are, so a trace costs little, and to compare one costs less than to write the object. False for what holds
 * anything else, or too much.
 */
export function trace(value: unknown, into: unknown[]): boolean {
  return record(value, into, into.length + LONGEST, 0);
}

/** Where the trace of a value that holds what it held ends; -1 where it differs. */
export function traceEnd(value: unknown, traced: readonly unknown[], start: number): number {
  return follow(value, traced, start);
}

const isTraceable = (message: BaseMessage): boolean => messageTag(message) !== null && extraArguments(message) === null;

const isHole = (array: readonly unknown[], index: number): boolean => array[index] === undefined && !(index in array);

function record(value: unknown, trace: unknown[], most: number, depth: number): boolean {
  if (trace.length > most || depth > DEEPEST) return false;
  switch (typeof value) {
    case "function":
    case "symbol":
      return false;
    case "object":
      break;
    default:
      trace.push(value);
      return true;
  }
  if (value === null) {
    trace.push(value);
    return true;
  }
  if (Array.isArray(value)) {
    trace.push(ARRAY, value.length);
    for (let index = 0; index < value.length; index++) {
      if (isHole(value, index) || !record(value[index], trace, most, depth + 1)) return false;
    }
    return true;
  }
  if (Object.getPrototypeOf(value) === Object.prototype) {
    trace.push(OBJECT);
    for (const key in value) {
      trace.push(key);
      // A key of the object.
      if (!record((value as Record<string, unknown>)[key], trace, most, depth + 1)) return false;
    }
    trace.push(END);
    return true;
  }
  if (!isMessage(value) || !isTraceable(value)) return false;
  trace.push(value.constructor);
  const fields = value as unknown as Record<string, unknown>;
  for (const name of MESSAGE_FIELDS) if (!record(fields[name], trace, most, depth + 1)) return false;
  return true;
}

/** Where in the trace the value ends; -1 where it differs. */
function follow(value: unknown, trace: readonly unknown[], at: number): number {
  if (typeof value !== "object" || value === null) return Object.is(trace[at], value) ? at + 1 : -1;
  let next = at + 1;
  if (Array.isArray(value)) {
    if (trace[at] !== ARRAY || trace[next] !== value.length) return -1;
    next += 1;
    for (let index = 0; index < value.length && next > 0; index++) {
      next = isHole(value, index) ? -1 : follow(value[index], trace, next);
    }
    return next;
  }
  if (trace[at] === OBJECT) {
    if (Object.getPrototypeOf(value) !== Object.prototype) return -1;
    for (const key in value) {
      if (trace[next] !== key) return -1;
      // A key of the object.
      next = follow((value as Record<string, unknown>)[key], trace, next + 1);
      if (next < 0) return -1;
    }
    return trace[next] === END ? next + 1 : -1;
  }
  if (trace[at] !== value.constructor || typeof value.constructor !== "function") return -1;
  const fields = value as unknown as Record<string, unknown>;
  for (let index = 0; index < MESSAGE_FIELDS.length && next > 0; index++) {
    const name = MESSAGE_FIELDS[index];
    next = name === undefined ? -1 : follow(fields[name], trace, next);
  }
  return next;
}
