/**
 * The one member of an object that stands for something JSON doesn't know: `{ "~1": [tag, …] }`. The digit is the version of
 * the format; what a later version wrote is refused. Texts without such an object are plain JSON.
 */
export const MARK = "~1";

/** Keys that mark what any version wrote. An object of the app's that has one is written as its entries. */
export const isMark = (key: string): boolean => key.length > 1 && key.startsWith("~") && /^~\d+$/.test(key);

/** An encoded value. */
export type Encoded = null | boolean | number | string | Encoded[] | { [key: string]: Encoded };

/** A marked object. */
export const marked = (...parts: Encoded[]): Encoded => ({ [MARK]: parts });

/** Sets a member, whatever its name: an assignment to `__proto__` would change the prototype instead. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    // Any key but the one above is an ordinary member.
    (target as Record<string, unknown>)[key] = value;
  }
}

/** An object whose prototype is that of a literal, or nothing. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Where in a value something stands, for errors: `$.messages[3].content`. */
export type Path = readonly (string | number)[];

export function showPath(path: Path): string {
  return `$${path
    .map((step) =>
      typeof step === "number"
        ? `[${step}]`
        : /^[A-Za-z_$][\w$]*$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join("")}`;
}
