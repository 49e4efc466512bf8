import type { Json } from "../contract/json.ts";
import type { Part } from "../contract/message.ts";

/** The member that makes a value a part of this type. */
const NEEDS: Readonly<Record<Part["type"], string>> = {
  text: "text",
  reasoning: "text",
  file: "mediaType",
  source: "type",
  "tool-call": "callId",
  "tool-result": "callId",
  approval: "callId",
  custom: "kind",
};

/** True where a tool's output is parts and not JSON of its own: a list, not empty, of nothing but parts. */
export function isPartList(output: Json | readonly Part[]): output is Part[] {
  return (
    Array.isArray(output) &&
    output.length > 0 &&
    output.every((entry) => {
      if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return false;
      // Any JSON object may come here; its members are looked at, not trusted.
      const { type, ...members } = entry as { type?: unknown; [key: string]: unknown };
      if (typeof type !== "string" || !Object.hasOwn(NEEDS, type)) return false;
      const needed = NEEDS[type as Part["type"]];
      return needed === "type" || typeof members[needed] === "string";
    })
  );
}
