import type { Json } from "../contract/json.ts";

/** Texts shorter than this say too little by themselves. */
const MIN_LONE_CHARS = 4;

/** Characters that nobody sees: format characters, and what fonts leave out. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A text as it is compared: without regard to case, compatibility forms, spaces and characters that nobody sees. */
export const foldText = (text: string): string =>
  text.replace(INVISIBLE, "").normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();

/** A value as it is compared: every text in it folded, members of objects in order. */
export function comparable(value: Json): string {
  if (typeof value === "string") return JSON.stringify(foldText(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(comparable).join(",")}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(foldText(key))}:${comparable(member)}`,
  );
  return `{${members.sort().join(",")}}`;
}

/** Whether two values are one to whoever reads them. */
export const sameValue = (a: Json, b: Json): boolean => comparable(a) === comparable(b);

/** Whether a value says something by itself: it holds a text that isn't very short. */
export function saysSomething(value: Json): boolean {
  if (typeof value === "string") return foldText(value).length >= MIN_LONE_CHARS;
  return typeof value === "object" && value !== null && Object.values(value).some(saysSomething);
}

/** The values of a slot as a list: a list's members, or the one value. */
export const membersOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);

/** The members that a value adds to the one it took the place of; `null` where it isn't that one's list with more in it. */
export function addedMembers(before: Json, after: Json): Json[] | null {
  if (!Array.isArray(after)) return null;
  const earlier = membersOf(before);
  const isLonger =
    after.length > earlier.length && earlier.every((value, index) => sameValue(value, after[index] as Json));
  return isLonger ? after.slice(earlier.length) : null;
}
