import type { StoryDifference } from "./compare-records.ts";

/** A field of the records that is the host's own. */
export interface HostField {
  /** All below it is the host's as well. */
  field: string;
  /** Why it can't be the same everywhere. */
  why: string;
  /** Where it must still be nearly the same. */
  isClose?(expected: unknown, got: unknown): boolean;
}

const EARLY = "A host that may be stopped between two steps is written as one that waits before its tools run.";
const WORDS = "Follows from the words of failed calls.";

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most;

/** Everything in which hosts may differ after the same story. A field that is here and never differs fails a test. */
export const HOST_FIELDS: readonly HostField[] = [
  { field: "conversations.turns.messages.id", why: "LangGraph, Mastra and clients with a UI name their messages." },
  { field: "conversations.turns.messages.name", why: "Some hosts say which of several agents spoke." },
  {
    field: "conversations.turns.messages.createdAt",
    why: "Mastra stamps an answer's row itself, once for all its steps and some milliseconds behind what it answers.",
    isClose: (expected, got) => isWithin(Date.parse(String(got)) - Date.parse(String(expected)), -60_000, 1_000),
  },
  {
    field: "conversations.turns.messages.native",
    why: "The host's own form, where it holds more than the neutral one.",
  },
  { field: "conversations.turns.messages.parts.native", why: "The same of a part." },
  {
    field: "conversations.turns.messages.parts.failure",
    why: "A host tells its model of a failed call in its own words.",
  },
  {
    field: "conversations.turns.messages.parts.reason",
    why: "Mastra gives a reason for a denial that the person didn't.",
  },
  { field: "conversations.turns.error", why: "A client of a provider has errors of its own." },
  { field: "conversations.turns.tokens", why: WORDS },
  { field: "found.hits.score", why: WORDS },
  { field: "conversations.turns.seq", why: EARLY },
  { field: "conversations.conversation.version", why: EARLY },
  { field: "records.value.versions.through", why: EARLY },
];

/** The entry of the list that a difference falls under, if any. */
export const hostFieldOf = ({ field, expected, got }: StoryDifference): HostField | undefined =>
  HOST_FIELDS.find(
    (own) =>
      (field === own.field || field.startsWith(`${own.field}.`)) &&
      (own.isClose === undefined || own.isClose(expected, got)),
  );
