import type { JsonObject } from "../contract/json.ts";
import type { Engine } from "../memory/engine.ts";
import { knownZone } from "./clock-time.ts";

/** The time zone in which a person's "yesterday" is meant: the conversation's, else the app's, also where it names none. */
export function zoneOf(engine: Engine, metadata: JsonObject | undefined): string {
  const named = metadata?.timeZone;
  const zoneOfApp = knownZone(engine.options.timeZone);
  return typeof named === "string" ? knownZone(named, zoneOfApp) : zoneOfApp;
}
