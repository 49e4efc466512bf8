import type { Engine } from "../memory/engine.ts";
import { DateResolver } from "./resolve-dates.ts";

/** What reads dates from texts; one for each memory: a language is prepared once. */
export function datesOf({ dates }: Pick<Engine, "dates">): DateResolver {
  dates.resolver ??= new DateResolver();
  return dates.resolver;
}
