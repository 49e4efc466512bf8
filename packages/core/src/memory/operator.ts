import { checkId, checkOptionalId } from "../checks/ids.ts";
import type { FactScope } from "../contract/fact.ts";
import type { Operator } from "../contract/memory.ts";
import type { Writer } from "../facts/fact-access.ts";
import { forgetFacts } from "../facts/forget-facts.ts";
import { rememberFact } from "../facts/remember-fact.ts";
import { searchMessages } from "../search/search-messages.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";

/** What only the app's operator may do. */
export function createOperator(engine: Engine): Operator {
  const writer = (target: { scope: FactScope; subject?: string; conversation?: string }): Writer => {
    checkOptionalId(target.subject, "subject id");
    checkOptionalId(target.conversation, "conversation id");
    const { subject, conversation } = target;
    return {
      author: "operator",
      origin: "operator",
      conversation,
      context: async () => ({ ...engine.owner, subject: await canonicalSubject(engine, subject), conversation }),
    };
  };
  return {
    remember: ({ subject, conversation, ...fact }) =>
      rememberFact(
        engine,
        writer({
          scope: fact.scope,
          ...(subject === undefined ? {} : { subject }),
          ...(conversation === undefined ? {} : { conversation }),
        }),
        fact,
      ),
    forget: ({ key, scope, ...target }) => forgetFacts(engine, writer({ scope, ...target }), { key, scope }),
    async search(query, filter = {}) {
      if (filter.conversation !== undefined) checkId(filter.conversation, "conversation id");
      return searchMessages(engine, { kind: "agent" }, query, filter);
    },
  };
}
