import type { Json } from "../contract/json.ts";
import { MemoryError } from "../errors/memory-error.ts";

const MAX_DEPTH = 200;

const describe = (value: unknown): string => {
  if (value === undefined) return "undefined";
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return `a ${value?.constructor?.name ?? "null-prototype object"}`;
  return `a ${typeof value}`;
};

/** The first thing in `value` that JSON can't hold, as a path and a reason; `null` when all is well. */
function findFault(value: unknown, path: string, depth: number): { path: string; why: string } | null {
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number") {
    return Number.isFinite(value) ? null : { path, why: `${describe(value)} is not a JSON number` };
  }
  if (typeof value !== "object") return { path, why: `${describe(value)} is not JSON` };
  if (depth > MAX_DEPTH) return { path, why: `it is nested deeper than ${MAX_DEPTH} levels, or holds itself` };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = findFault(value[index], `${path}[${index}]`, depth + 1);
      if (fault) return fault;
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return { path, why: `${describe(value)} is not a plain object` };
  }
  for (const [key, member] of Object.entries(value)) {
    const fault = findFault(member, `${path}.${key}`, depth + 1);
    if (fault) return fault;
  }
  return null;
}

/** Throws `INVALID_JSON`, naming the path, unless `value` is plain JSON. */
export function checkJson(value: unknown, what: string): asserts value is Json {
  const fault = findFault(value, what, 0);
  if (fault) {
    throw new MemoryError("INVALID_JSON", `${fault.path}: ${fault.why}; convert it before it is stored.`, {
      details: { path: fault.path },
    });
  }
}

/** JSON with sorted object keys: equal values give equal texts. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`);
  return `{${members.join(",")}}`;
}
