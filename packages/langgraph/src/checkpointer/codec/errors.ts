type Parts = Record<string, unknown>;

const BUILT_IN: Readonly<Record<string, new (message?: string) => Error>> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

/** The class that an error is of, as far as it can be made again; `name` and the members say what it was called. */
function classOf(error: Error): string {
  if (error instanceof AggregateError) return "AggregateError";
  for (const name in BUILT_IN) {
    const Class = BUILT_IN[name];
    if (name !== "Error" && Class !== undefined && error instanceof Class) return name;
  }
  return "Error";
}

/** What an error is called: a class that doesn't say gives its own name. */
const nameOf = (error: Error): string => {
  const own = error.constructor?.name;
  return error.name === "Error" && typeof own === "string" && own !== "" ? own : error.name;
};

/** What is kept of an error: its class and name, message, stack, cause, and every member of its own, such as a code. */
export function errorParts(error: Error): Parts {
  const parts: Parts = { class: classOf(error), name: nameOf(error), message: error.message, stack: error.stack };
  if ("cause" in error) parts.cause = error.cause;
  if (error instanceof AggregateError) parts.errors = error.errors;
  const own: Parts = {};
  for (const key of Object.keys(error)) {
    if (!["name", "message", "stack", "cause", "errors"].includes(key)) own[key] = (error as unknown as Parts)[key];
  }
  // Getters of a class, as a code often is.
  const { code } = error as { code?: unknown };
  if (code !== undefined && !("code" in own)) own.code = code;
  if (Object.keys(own).length > 0) parts.own = own;
  return parts;
}

/** An error of its parts. */
export function makeError(parts: Parts): Error {
  const message = String(parts.message ?? "");
  const name = String(parts.class);
  const Class = Object.hasOwn(BUILT_IN, name) ? (BUILT_IN[name] ?? Error) : Error;
  const error =
    name === "AggregateError"
      ? new AggregateError(Array.isArray(parts.errors) ? parts.errors : [], message)
      : new Class(message);
  const define = (key: string, value: unknown, enumerable = false): void => {
    Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true });
  };
  if (error.name !== parts.name) define("name", parts.name);
  define("stack", parts.stack);
  if ("cause" in parts) define("cause", parts.cause);
  const own = parts.own;
  if (typeof own === "object" && own !== null) {
    for (const key of Object.keys(own)) if (key !== "__proto__") define(key, (own as Parts)[key], true);
  }
  return error;
}
