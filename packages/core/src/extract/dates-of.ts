import type { Engine } from "../memory/engine.ts";
import { DateResolver } from "./resolve-dates.ts";

/** What resolves dates; one for each memory, made at its first use, so that a language is prepared once. */
export function datesOf({ dates }: Pick<Engine, "dates">): DateResolver {
  dates.resolver ??= new DateResolver();
  return dates.resolver;
}
