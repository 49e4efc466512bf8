import { checkOptionalId } from "../checks/ids.ts";
import type { SearchFilter } from "../contract/conversation.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { MAX_NEIGHBOURS } from "./load-hits.ts";

const ROLES: readonly string[] = ["system", "user", "assistant", "tool"] satisfies SearchFilter["role"][];
const MODES: readonly string[] = ["hybrid", "keyword", "semantic"] satisfies SearchFilter["mode"][];

/** Throws `INVALID_ARGUMENT` or `INVALID_ID` for what JavaScript may pass: a filter that isn't one would find nothing, or all. */
export function checkFilter({ neighbours, role, mode, conversation }: SearchFilter): void {
  checkOptionalId(conversation, "conversation id");
  if (neighbours !== undefined && neighbours > MAX_NEIGHBOURS) {
    refuse("neighbours", `must be a whole number from 0 to ${MAX_NEIGHBOURS}; it is ${neighbours}`);
  }
  if (role !== undefined && !ROLES.includes(role)) refuse("role", `must be one of ${ROLES.join(", ")}`);
  if (mode !== undefined && !MODES.includes(mode)) refuse("mode", `must be one of ${MODES.join(", ")}`);
}

function refuse(what: string, why: string): never {
  throw new MemoryError("INVALID_ARGUMENT", `search: ${what} ${why}.`, { details: { what } });
}
