import type { MastraDBMessage } from "@mastra/core/agent";

/** A row as Mastra stores it: one message of the person, or all steps of one answer. */
export type Row = MastraDBMessage;

export type RowContent = Row["content"];
export type RowPart = RowContent["parts"][number];
export type ToolRowPart = Extract<RowPart, { type: "tool-invocation" }>;
export type Invocation = ToolRowPart["toolInvocation"];
