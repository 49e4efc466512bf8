import { MemoryError } from "@throughline/core";
import { encodeBinary } from "./binary.ts";
import { errorParts } from "./errors.ts";
import { type Encoded, isMark, isPlainObject, marked, type Path, setOwn, showPath } from "./format.ts";
import { HOST_VALUES, hostTag } from "./host-values.ts";
import { extraArguments, isMessage, messageFields, messageTag } from "./messages.ts";

/** How deep a value may be nested, so that the stack of every runtime has room to write it and to read it back. */
const DEEPEST = 300;

/** What is done with a value that has no form of its own: a function, or an instance of a class of the app's. */
export type UnknownValues = "plain" | "refuse";

/**
 * A value as JSON text, all in this tick. `path` says where it stands. Throws `UNSUPPORTED_CONTENT`, naming the place, for a cycle, and with `refuse` for
 * what would come back as something else. With `plain` an instance becomes what its `toJSON` says or its own members, and
 * functions and symbols are left out, as JSON does.
 */
export function encode(value: unknown, unknown: UnknownValues = "plain", path: Path = []): string {
  if (isPlain(value, 0)) return JSON.stringify(value);
  return JSON.stringify(new Encoder(unknown, path).encode(value));
}

/** True where JSON alone gives the value back as it is. */
function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "boolean":
      return true;
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  // What is deep may be a cycle; that is found out the slower way.
  if (depth > 100) return false;
  if (Array.isArray(value)) {
    if (Object.keys(value).length !== value.length) return false;
    for (const item of value) if (!isPlain(item, depth + 1)) return false;
    return Object.getPrototypeOf(value) === Array.prototype;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key of Object.keys(value)) {
    if (isMark(key) || key === "toJSON") return false;
    // An own key of the object.
    if (!isPlain((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

/** Values without a form, which are left out of objects. */
const LEFT_OUT = Symbol("left out");

class Encoder {
  readonly #unknown: UnknownValues;
  readonly #above = new Set<object>();
  readonly #path: (string | number)[];

  constructor(unknown: UnknownValues, path: Path) {
    this.#unknown = unknown;
    this.#path = [...path];
  }

  encode(value: unknown): Encoded {
    const encoded = this.#any(value);
    return encoded === LEFT_OUT ? marked("u") : encoded;
  }

  #any(value: unknown): Encoded | typeof LEFT_OUT {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        if (Number.isFinite(value) && !Object.is(value, -0)) return value;
        return marked("f", Object.is(value, -0) ? "-0" : String(value));
      case "undefined":
        return marked("u");
      case "bigint":
        return marked("n", String(value));
      case "object":
        return value === null ? null : this.#object(value);
      default:
        return this.#left(typeof value);
    }
  }

  #left(what: string): typeof LEFT_OUT {
    if (this.#unknown === "plain") return LEFT_OUT;
    throw unsupported(this.#path, `is a ${what}, which can't be kept`);
  }

  #object(value: object): Encoded | typeof LEFT_OUT {
    if (this.#above.has(value)) throw unsupported(this.#path, "holds itself; a state must not go in a circle");
    if (this.#path.length > DEEPEST) throw unsupported(this.#path.slice(0, 20), `goes deeper than ${DEEPEST} levels`);
    this.#above.add(value);
    const encoded = Array.isArray(value) ? this.#array(value) : this.#other(value);
    this.#above.delete(value);
    return encoded;
  }

  /** What stands under a step of the path. */
  #at(step: string | number, value: unknown): Encoded | typeof LEFT_OUT {
    this.#path.push(step);
    const encoded = this.#any(value);
    this.#path.pop();
    return encoded;
  }

  #item(step: string | number, value: unknown): Encoded {
    const encoded = this.#at(step, value);
    return encoded === LEFT_OUT ? marked("u") : encoded;
  }

  #array(value: readonly unknown[]): Encoded {
    const keys = Object.keys(value);
    const isDense = keys.length === value.length && keys.every((key, index) => key === String(index));
    if (isDense) return value.map((item, index) => this.#item(index, item));
    const entries = keys.map((key): Encoded => [key, this.#item(key, value[Number(key)] ?? view(value)[key])]);
    return marked("a", value.length, entries);
  }

  #other(value: object): Encoded | typeof LEFT_OUT {
    if (isPlainObject(value)) return this.#plain(value);
    if (value instanceof Date) return marked("d", Number.isNaN(value.getTime()) ? null : value.getTime());
    if (value instanceof Map) {
      let index = 0;
      const entries: Encoded[] = [];
      for (const [key, held] of value) {
        entries.push([this.#item(index, key), this.#item(typeof key === "string" ? key : index, held)]);
        index += 1;
      }
      return marked("m", entries);
    }
    if (value instanceof Set)
      return marked(
        "s",
        [...value].map((item, index) => this.#item(index, item)),
      );
    if (value instanceof RegExp) return marked("r", value.source, value.flags, value.lastIndex);
    if (value instanceof URL) return marked("l", value.href);
    if (value instanceof Error) return marked("e", this.#members(errorParts(value)));
    const binary = encodeBinary(value);
    if (binary !== null) return marked("b", ...binary);
    if (isMessage(value)) {
      const tag = messageTag(value);
      if (tag !== null) {
        const extra = extraArguments(value);
        return marked(
          `M${tag}`,
          this.#members(messageFields(value)),
          ...(extra === null ? [] : [this.#members(extra)]),
        );
      }
    }
    const host = hostTag(value);
    if (host !== null) return marked(host, this.#members(HOST_VALUES[host]?.parts(value) ?? {}));
    return this.#instance(value);
  }

  #plain(value: Record<string, unknown>): Encoded {
    const isBare = Object.getPrototypeOf(value) === null;
    if (!isBare && !Object.keys(value).some(isMark)) return this.#members(value);
    const entries = Object.entries(value).flatMap(([key, held]): Encoded[] => {
      const encoded = this.#at(key, held);
      return encoded === LEFT_OUT ? [] : [[key, encoded]];
    });
    return marked(isBare ? "0" : "o", entries);
  }

  #members(value: Record<string, unknown>): Encoded {
    const encoded: { [key: string]: Encoded } = {};
    for (const key of Object.keys(value)) {
      const member = this.#at(key, value[key]);
      if (member !== LEFT_OUT) setOwn(encoded, key, member);
    }
    return encoded;
  }

  #instance(value: object): Encoded | typeof LEFT_OUT {
    if (this.#unknown === "refuse") {
      const name = value.constructor?.name;
      throw unsupported(
        this.#path,
        `is an instance of ${name === undefined || name === "" ? "a class" : name}; keep a plain object in the state instead`,
      );
    }
    const { toJSON } = view(value);
    if (typeof toJSON === "function") return this.#any(toJSON.call(value, ""));
    return this.#plain({ ...value });
  }
}

/** An object by its members' names. */
const view = (value: object): Record<string, unknown> => value as Record<string, unknown>;

function unsupported(path: Path, what: string): MemoryError {
  const place = showPath(path);
  return new MemoryError("UNSUPPORTED_CONTENT", `The state's ${place} ${what}.`, { details: { path: place } });
}
