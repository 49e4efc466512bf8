import type { ArtifactEdit } from "../contract/artifact.ts";
import { MemoryError } from "../errors/memory-error.ts";

const isEdit = (edit: unknown): edit is ArtifactEdit => {
  if (typeof edit !== "object" || edit === null) return false;
  const { find, lines, replace } = edit as { find?: unknown; lines?: unknown; replace?: unknown };
  if (typeof replace !== "string") return false;
  if (lines === undefined) return typeof find === "string";
  return find === undefined && Array.isArray(lines) && lines.length === 2 && lines.every(Number.isInteger);
};

/** Throws `INVALID_ARGUMENT` unless these are edits. */
export function checkEdits(edits: readonly ArtifactEdit[]): void {
  if (Array.isArray(edits) && edits.length > 0 && edits.every(isEdit)) return;
  throw new MemoryError(
    "INVALID_ARGUMENT",
    "A patch is a list of edits: { find, replace } or { lines: [from, to], replace }.",
  );
}
