/** What a span holds: counts, tokens, codes and the names of kinds. Never text, never a person's id. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** What the memory asks of a span; OpenTelemetry's `Span` is one. */
export interface MemorySpan {
  /** Adds to what the span says. */
  setAttributes(attributes: SpanAttributes): unknown;
  /** 2 is OpenTelemetry's code for an error. */
  setStatus(status: { code: 2 }): unknown;
  /** Called once. */
  end(): unknown;
}

/**
 * What the memory asks of a tracer; a `Tracer` of `@opentelemetry/api` is one, so that core needs no such package.
 * `startActiveSpan` runs `run` at once, with the span as the active one, and must not throw by itself.
 */
export interface MemoryTracer {
  /** Gives what `run` gives. */
  startActiveSpan<Result>(
    name: string,
    options: { attributes: SpanAttributes },
    run: (span: MemorySpan) => Result,
  ): Result;
}
