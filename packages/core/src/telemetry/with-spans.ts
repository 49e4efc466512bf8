import type { MemoryTracer, SpanAttributes } from "../contract/tracer.ts";
import { codeOf } from "../memory/resilience.ts";

/** How one memory traces. */
export interface Tracing {
  readonly tracer: MemoryTracer;
  /** Ids of conversations and turns are wanted. */
  readonly ids: boolean;
  /** What every span holds. */
  readonly attributes: SpanAttributes;
}

/** The members of `T` that answer a promise. */
type AsyncMember<T> = {
  [Key in keyof T]: T[Key] extends (...args: never[]) => Promise<unknown> ? Key : never;
}[keyof T];

/** What the span of each operation holds once it has its result. Every operation of `T` has to be there. */
export type SpanTable<T> = {
  readonly [Key in AsyncMember<T>]: T[Key] extends (...args: never[]) => Promise<infer Result>
    ? (result: Result) => SpanAttributes
    : never;
};

/** Runs one operation in a span. A throw and a failed outcome mark it, with their code alone. */
export function inSpan<Result>(
  tracing: Tracing,
  name: string,
  run: () => Promise<Result>,
  describe: (result: Result) => SpanAttributes = () => ({}),
  attributes: SpanAttributes = {},
): Promise<Result> {
  const start = { attributes: { ...tracing.attributes, ...attributes } };
  return tracing.tracer.startActiveSpan(name, start, async (span) => {
    const fail = (code: string): void => {
      span.setAttributes({ "error.type": code });
      span.setStatus({ code: 2 });
    };
    try {
      const result = await run();
      const found = describe(result);
      span.setAttributes(found);
      if (found["memory.outcome"] === "failed") fail(String(found["memory.code"] ?? "STORE_FAILED"));
      return result;
    } catch (error) {
      fail(codeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** {@link inSpan} where there is a tracer; else the operation alone. */
export function traced<Result>(
  tracing: Tracing | undefined,
  name: string,
  run: () => Promise<Result>,
  describe?: (result: Result) => SpanAttributes,
  attributes?: SpanAttributes,
): Promise<Result> {
  return tracing === undefined ? run() : inSpan(tracing, name, run, describe, attributes);
}

/**
 * Puts each operation of the table in a span of its name. The object stays the one it is, so that what it shows at each
 * look does too: it is given when it is new and nobody else has it.
 */
export function withSpans<T extends object>(
  tracing: Tracing,
  prefix: string,
  target: T,
  table: SpanTable<T>,
  attributes: SpanAttributes = {},
): T {
  for (const [name, describe] of Object.entries(table)) {
    // The table's type says that these are operations, and its entries take their results.
    const method = target[name as keyof T] as (...args: unknown[]) => Promise<unknown>;
    const operation = (...args: unknown[]) =>
      inSpan(
        tracing,
        `${prefix}.${name}`,
        async () => method.apply(target, args),
        describe as (result: unknown) => SpanAttributes,
        attributes,
      );
    Object.assign(target, { [name]: operation });
  }
  return target;
}
