import type { JsonObject } from "../contract/json.ts";
import { CODES, type MemoryErrorCode } from "./codes.ts";

const MARKER = Symbol.for("throughline.MemoryError");

/** What a `MemoryError` carries besides its code and message. */
export interface MemoryErrorOptions {
  /** The error underneath, always kept. */
  cause?: unknown;
  /** Which thing, as plain JSON. Never holds conversation text or secrets. */
  details?: JsonObject;
  /** Overrides the code's own entry. */
  retryable?: boolean;
}

/** The one error that crosses this library's borders. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
  readonly code: MemoryErrorCode;
  /** A later try of the same call may succeed. */
  readonly retryable: boolean;
  /** Which thing, as plain JSON; empty where there is nothing to say. Never conversation text or secrets. */
  readonly details: JsonObject;

  constructor(code: MemoryErrorCode, message: string, options: MemoryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? CODES[code].retryable;
    this.details = options.details ?? {};
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** The status an HTTP surface answers with. */
  get httpStatus(): number {
    return CODES[this.code].http;
  }

  /** True for a `MemoryError` of any copy of this library. */
  static isInstance(error: unknown): error is MemoryError {
    return typeof error === "object" && error !== null && (error as { [MARKER]?: unknown })[MARKER] === true;
  }
}
