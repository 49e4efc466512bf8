import { type Json, MemoryError } from "@throughline/core";

/** What an item's member has to be: a value, or operators with their operands. */
export type StoreFilter = { readonly [member: string]: unknown };

/** JSON with sorted members, so that equal values give equal texts; `undefined` stays it. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

const isSame = (value: unknown, operand: unknown): boolean => canonical(value) === canonical(operand);
const includes = (value: unknown, operand: unknown): boolean =>
  Array.isArray(operand) && operand.some((one) => isSame(value, one));

/** Numbers by size, texts (times, versions) by their signs; nothing else has an order. */
function order(value: unknown, operand: unknown): number {
  if (typeof value === "string" && typeof operand === "string") return value < operand ? -1 : value > operand ? 1 : 0;
  return typeof value === "number" || typeof operand === "number"
    ? Number(value ?? Number.NaN) - Number(operand)
    : Number.NaN;
}

const OPERATORS: { readonly [name: string]: (value: unknown, operand: unknown) => boolean } = {
  $eq: isSame,
  $ne: (value, operand) => !isSame(value, operand),
  $gt: (value, operand) => order(value, operand) > 0,
  $gte: (value, operand) => order(value, operand) >= 0,
  $lt: (value, operand) => order(value, operand) < 0,
  $lte: (value, operand) => order(value, operand) <= 0,
  $in: includes,
  $nin: (value, operand) => !includes(value, operand),
  $exists: (value, operand) => (value !== undefined) === (operand !== false),
};

function isMatch(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) return isSame(value, wanted);
  const members = Object.entries(wanted);
  if (!members.some(([name]) => name.startsWith("$"))) return isSame(value, wanted);
  return members.every(([name, operand]) => {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (operator === undefined) {
      const known = Object.keys(OPERATORS).join(", ");
      throw new MemoryError("INVALID_ARGUMENT", `A filter has no operator "${name}"; there are ${known}.`);
    }
    return operator(value, operand);
  });
}

/** Does an item's value fit a filter? Throws `INVALID_ARGUMENT` for an operator that there isn't. Pure. */
export function matchesFilter(value: Json, filter: StoreFilter | undefined): boolean {
  const members = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  return Object.entries(filter ?? {}).every(([name, wanted]) =>
    isMatch(Object.hasOwn(members, name) ? members[name] : undefined, wanted),
  );
}
