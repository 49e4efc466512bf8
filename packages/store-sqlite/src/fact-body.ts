import { type Fact, type Json, MemoryError } from "@throughline/core";
import { ORIGINS } from "./turn-body.ts";

// Places in these lists are stored: new members go to the end.
const TYPES: readonly Fact["type"][] = ["fact", "preference", "relationship", "instruction"];
const SCOPES: readonly Fact["scope"][] = ["user", "conversation", "app", "global"];
const AUTHORS: readonly Fact["author"][] = ["agent", "operator", "user", "distiller", "import"];

/** SQL of a fact's key in the text of {@link writeFact}. */
export const KEY_IN_FACT = "h.data ->> '$[1]'";
/** SQL of what a fact quotes in the text of {@link writeFact}. */
export const QUOTE_IN_FACT = "h.data ->> '$[12].source.quote'";
/** SQL of a fact's tags in the text of {@link writeFact}, a row each. */
export const TAGS_IN_FACT = "json_each(h.data, '$[4]')";

/** A member's place in its list; a member that no place is kept for stands as it is. */
type Packed<Member> = number | Member;
/** `0`: absent, or for times: the time of creation. */
type Optional<Value> = Value | 0;

type PackedFact = [
  id: string,
  key: Optional<string>,
  value: Json,
  type: Packed<Fact["type"]>,
  tags: string[],
  scope: Packed<Fact["scope"]>,
  author: Packed<Fact["author"]>,
  origin: Packed<Fact["origin"]>,
  createdAt: string,
  updatedAt: Optional<string>,
  validFrom: Optional<string>,
  version: number,
  /** Whatever else it says; most facts say nothing else. */
  rest?: Partial<Fact>,
];

/** A fact's text as it stands in the heap: members by position. Half the bytes of the plain JSON, and read in half the time. */
export function writeFact(fact: Fact): string {
  const { id, key, value, type, tags, scope, author, origin, createdAt, updatedAt, validFrom, version, ...rest } = fact;
  const packed: PackedFact = [
    id,
    key ?? 0,
    value,
    place(TYPES, type),
    tags,
    place(SCOPES, scope),
    place(AUTHORS, author),
    place(ORIGINS, origin),
    createdAt,
    updatedAt === createdAt ? 0 : updatedAt,
    validFrom === createdAt ? 0 : validFrom,
    version,
  ];
  for (const member of Object.values(rest)) {
    if (member === undefined) continue;
    packed.push(rest);
    break;
  }
  try {
    return JSON.stringify(packed);
  } catch (cause) {
    throw new MemoryError("INVALID_JSON", "A fact's value is not plain JSON.", { cause });
  }
}

/** What {@link writeFact} wrote. */
export function readFact(text: string): Fact {
  const packed: PackedFact = JSON.parse(text);
  const [id, key, value, type, tags, scope, author, origin, createdAt, updatedAt, validFrom, version] = packed;
  const fact: Fact = {
    id,
    value,
    type: memberAt(TYPES, type),
    tags,
    scope: memberAt(SCOPES, scope),
    author: memberAt(AUTHORS, author),
    origin: memberAt(ORIGINS, origin),
    createdAt,
    updatedAt: updatedAt === 0 ? createdAt : updatedAt,
    validFrom: validFrom === 0 ? createdAt : validFrom,
    version,
  };
  if (key !== 0) fact.key = key;
  const rest = packed[12];
  return rest === undefined ? fact : Object.assign(fact, rest);
}

function place<Member>(list: readonly Member[], member: Member): Packed<Member> {
  const found = list.indexOf(member);
  return found < 0 ? member : found;
}

function memberAt<Member extends string>(list: readonly Member[], packed: Packed<Member>): Member {
  if (typeof packed !== "number") return packed;
  const member = list[packed];
  if (member === undefined) throw new MemoryError("STORE_CORRUPT", "A stored fact names a kind that isn't known.");
  return member;
}
