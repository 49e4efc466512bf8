import * as z from "zod";
import { checkJson } from "../checks/json.ts";
import type { Json } from "../contract/json.ts";
import type { FactCandidate } from "../contract/models.ts";
import { valueText } from "../conversation/quote.ts";

const MAX_NAME_CHARS = 256;

const isJson = (value: unknown): boolean => {
  try {
    checkJson(value, "value");
    // Checked just above: it is JSON.
    return value !== undefined && value !== null && valueText(value as Json).isWellFormed();
  } catch {
    return false;
  }
};

const candidate = z.lazy(() => {
  const text = z.string().refine((value) => value.isWellFormed());
  const name = text
    .max(MAX_NAME_CHARS)
    .transform((value) => value.trim())
    .optional();
  return z.object({
    topic: name,
    key: name,
    value: z.custom<Json>(isJson),
    type: z.enum(["fact", "preference", "relationship", "instruction"]).optional(),
    tags: z.array(text).optional(),
    confidence: z.number().min(0).max(1),
    quote: text,
    subject: name,
    turn: name,
    updates: name,
    contradicts: name,
  });
});

/** A copy without members that are `null` or an empty text where nothing can be meant by them. */
function withoutBlanks(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value as Record<string, unknown>).filter(
    ([name, member]) =>
      name === "value" ||
      name === "quote" ||
      !(member === null || (typeof member === "string" && member.trim() === "")),
  );
  return Object.fromEntries(members);
}

/** A candidate as it is used from here on; `null` for what is none. */
export function checkCandidate(value: unknown): FactCandidate | null {
  const parsed = candidate.safeParse(withoutBlanks(value));
  if (!parsed.success) return null;
  const members = Object.entries(parsed.data).filter(([, member]) => member !== undefined);
  // The schema has the members of a candidate, and those that are `undefined` were taken out.
  return Object.fromEntries(members) as unknown as FactCandidate;
}
