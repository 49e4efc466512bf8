import { COLLIDING_IDS, SEPARATORS } from "./colliding-ids.ts";
import type { Identity } from "./isolation-driver.ts";

/** Identities of which no two may see anything of each other. */
export interface IdentityFamily {
  /** What differs. */
  readonly name: FamilyName;
  readonly identities: readonly Identity[];
  /** One person's conversations: facts of the person and search across them would cross, as they should. */
  readonly isOnePerson?: boolean;
}

const BASE = { tenant: "acme", agent: "guide" };

/** Every part of the joined text in turn is longer by what another lacks: joined, all four are the same. */
const joined = (separator: string, index: number): Identity[] => {
  // A conversation is one person's: each separator has its own people and conversations.
  const atoms = ["a", "b", `c${index}`, "d", `e${index}`];
  return [0, 1, 2, 3].map((longer) => {
    const [tenant = "", agent = "", subject = "", conversation = ""] = [0, 1, 2, 3].map((part) =>
      part === longer ? atoms.slice(part, part + 2).join(separator) : (atoms[part < longer ? part : part + 1] ?? ""),
    );
    return { tenant, agent, subject, conversation };
  });
};

/** How much is tried: `whole` puts every id into every place; `part` puts each into one, which takes a fifth of the time. */
export type IsolationExtent = "part" | "whole";

/** Of so many kinds of confusion a part takes one: there are as many families of single ids. */
const PART = 5;

/** Ids for the family at a place among the families. */
function idsFor(place: number, extent: IsolationExtent): string[] {
  const groups = Object.values(COLLIDING_IDS).filter((_, at) => extent === "whole" || at % PART === place % PART);
  return [...new Set(["ada", ...groups.flat()])];
}

/** The families, by name. */
export const FAMILY_NAMES = [
  "tenants",
  "agents",
  "people",
  "conversations of nobody",
  "conversations of one person",
  "ids that joined are the same",
] as const;

export type FamilyName = (typeof FAMILY_NAMES)[number];

/** The identities of a family. */
export function familyOf(name: FamilyName, extent: IsolationExtent): IdentityFamily {
  const ids = idsFor(FAMILY_NAMES.indexOf(name), extent);
  const subject = "ada";
  const conversation = "chat";
  switch (name) {
    case "tenants":
      return { name, identities: ids.map((tenant) => ({ ...BASE, tenant, subject, conversation })) };
    case "agents":
      return { name, identities: ids.map((agent) => ({ ...BASE, agent, subject, conversation })) };
    case "people":
      return { name, identities: ids.map((id, at) => ({ ...BASE, subject: id, conversation: `chat-${at}` })) };
    case "conversations of nobody":
      return { name, identities: ids.map((id) => ({ ...BASE, conversation: id })) };
    case "conversations of one person":
      return { name, identities: ids.map((id) => ({ ...BASE, subject, conversation: id })), isOnePerson: true };
    case "ids that joined are the same":
      return { name, identities: SEPARATORS.filter((_, at) => extent === "whole" || at % PART === 0).flatMap(joined) };
  }
}
