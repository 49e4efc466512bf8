import type { Engine } from "../memory/engine.ts";
import { DateResolver } from "./resolve-dates.ts";

/** The memory's resolver of dates: one for each memory, since a language is prepared once, and made when first asked for. */
export function datesOf({ dates }: Pick<Engine, "dates">): DateResolver {
  dates.resolver ??= new DateResolver();
  return dates.resolver;
}
