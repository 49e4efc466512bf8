import type { Span, Tracer } from "@opentelemetry/api";
import { expectTypeOf, test } from "vitest";
import { createMemory, type Memory, type MemorySpan, type MemoryTracer } from "../index.ts";
import type { SpanTable } from "../telemetry/with-spans.ts";

declare const tracer: Tracer;

test("OpenTelemetry's own tracer is taken as it is, and core needs no package for it", () => {
  expectTypeOf<Tracer>().toExtend<MemoryTracer>();
  expectTypeOf<Span>().toExtend<MemorySpan>();
  expectTypeOf<Tracer>().not.toBeAny();
  createMemory({ agent: "a", tracer });
  // @ts-expect-error a span is no tracer
  createMemory({ agent: "a", tracer: tracer.startSpan("x") });
});

test("an operation without a span does not compile", () => {
  expectTypeOf<keyof SpanTable<Memory>>().toEqualTypeOf<
    "conversations" | "search" | "ingest" | "distill" | "manifest" | "reindex" | "sweep" | "settled" | "flush" | "close"
  >();
  expectTypeOf<SpanTable<{ id: string; read(): Promise<number>; open(): number }>>().toEqualTypeOf<{
    readonly read: (result: number) => Record<string, string | number | boolean>;
  }>();
});
