import type { FactScope } from "../contract/fact.ts";
import type { AgentOwner, FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";

/** Who is asking: an agent, perhaps in a conversation, perhaps with a subject. */
export interface FactContext extends AgentOwner {
  conversation?: string | undefined;
  subject?: string | undefined;
}

/**
 * The owner of a scope. Facts of a person nobody named are the conversation's: memory degrades to the conversation
 * rather than failing. `null` where the scope has no owner here.
 */
export function factOwner(context: FactContext, scope: FactScope): FactOwner | null {
  const { tenant, agent, conversation, subject } = context;
  switch (scope) {
    case "app":
      return { tenant, agent, scope, id: "" };
    case "global":
      return subject === undefined ? null : { tenant, agent: null, scope, id: subject };
    case "user":
      if (subject !== undefined) return { tenant, agent, scope, id: subject };
      return conversation === undefined ? null : { tenant, agent, scope: "conversation", id: conversation };
    case "conversation":
      return conversation === undefined ? null : { tenant, agent, scope, id: conversation };
    default:
      return checkScope(scope);
  }
}

/** Throws `INVALID_ARGUMENT` for what is no scope. */
export function checkScope(scope: FactScope): null {
  if (["user", "conversation", "app", "global"].includes(scope)) return null;
  throw new MemoryError(
    "INVALID_ARGUMENT",
    `"${String(scope)}" is no fact scope; use user, conversation, app or global.`,
    { details: { scope: String(scope) } },
  );
}

/** The scopes, the narrowest first: where a key is looked for without one, the first that holds it answers. */
const NARROWEST_FIRST = ["conversation", "user", "global", "app"] as const;

/** Owners that the context can read, or those of one scope; the narrowest first and each once. */
export function readableOwners(context: FactContext, scope?: FactScope): FactOwner[] {
  const scopes = scope === undefined ? NARROWEST_FIRST : [scope];
  const owners = scopes.map((each) => factOwner(context, each)).filter((owner) => owner !== null);
  return owners.filter((owner, index) => owners.findIndex((other) => other.scope === owner.scope) === index);
}
