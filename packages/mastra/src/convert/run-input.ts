import type { Message, OpenTurn } from "@throughline/core";
import { fromRow } from "./from-rows.ts";
import type { Row } from "./rows.ts";
import { type ToRowsOptions, toRows } from "./to-rows.ts";

/** Ids of the given rows that the memory holds already: a client that sends the history again has them. */
export function knownRows(given: readonly Row[], turn: Pick<OpenTurn, "fresh">): string[] {
  const fresh = new Set(turn.fresh.map(({ id }) => id));
  return given
    .filter((row) => isCarried(row) && fromRow(row).every(({ id = "" }) => !fresh.has(id)))
    .map(({ id }) => id);
}

/** Can it be kept? What can't is for the model alone, and stays. */
function isCarried(row: Row): boolean {
  try {
    return fromRow(row).length > 0;
  } catch {
    return false;
  }
}

/**
 * What is stored, as rows to stand before the run's own. Mastra sorts rows by their time: one that a clock of another
 * machine put later, or that waited while another turn ended, is moved to its place.
 */
export function historyRows(
  turn: { readonly messages: readonly Message[]; readonly fresh: readonly Message[] },
  own: readonly Row[],
  options: ToRowsOptions,
): Row[] {
  const fresh = new Set(turn.fresh.map(({ id }) => id));
  const stored = turn.messages.filter(
    ({ id, role, parts }) => !fresh.has(id) && (role !== "system" || isSignal(parts)),
  );
  const begin = Math.min(...own.map(({ createdAt }) => createdAt.getTime()), Number.POSITIVE_INFINITY);
  const shown = new Set(own.map(({ id }) => id));
  return inOrder(
    toRows(stored, options).filter(({ id }) => !shown.has(id)),
    begin - 1,
  );
}

/** The rows with times that rise as they stand, none after `latest`: a turn that waited ended behind later ones. */
function inOrder(rows: readonly Row[], latest: number): Row[] {
  let next = latest;
  return rows
    .toReversed()
    .map((row) => {
      const time = row.createdAt.getTime();
      next = Math.min(time, next);
      return time === next ? row : { ...row, createdAt: new Date(next) };
    })
    .reverse();
}

const isSignal = (parts: Message["parts"]): boolean => parts.every((part) => part.type === "custom");
