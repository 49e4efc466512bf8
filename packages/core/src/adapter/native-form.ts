import type { Json, JsonObject } from "../contract/json.ts";
import type { NativeMessage } from "../contract/message.ts";

/**
 * For adapters: a `native` member to be spread, of what a host's message or part holds more than the neutral one; nothing
 * where no member is there. `format` names the host's form, and with it who can read it.
 */
export function nativeForm(format: string, members: object): { native?: NativeMessage } {
  const value: JsonObject = {};
  // An adapter's form is made of JSON.
  for (const [key, member] of Object.entries(members) as [string, Json | undefined][]) {
    if (member !== undefined) value[key] = member;
  }
  return Object.keys(value).length === 0 ? {} : { native: { format, value } };
}
