import { checkId, checkOptionalId } from "../checks/ids.ts";
import type { FactScope } from "../contract/fact.ts";
import type { Operator } from "../contract/memory.ts";
import type { Writer } from "../facts/fact-access.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { forgetFacts } from "../facts/forget-facts.ts";
import { rememberFact } from "../facts/remember-fact.ts";
import { liftForgotten } from "../facts/tombstones.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import type { Engine } from "./engine.ts";
import { later } from "./later.ts";
import { reporting } from "./reporting.ts";
import { searchMessages } from "./search-later.ts";
import { withResidue } from "./with-residue.ts";
import { withSignal } from "./with-signal.ts";

const undoFact = later(async () => (await import("../facts/undo-fact.ts")).undoFact);
const listFailures = later(async () => (await import("../work/failures.ts")).listFailures);
const redrive = later(async () => (await import("../work/redrive.ts")).redrive);
const linkIdentity = later(async () => (await import("./identities.ts")).linkIdentity);
const refile = later(async () => (await import("./identities.ts")).refile);
const unlinkIdentity = later(async () => (await import("./identities.ts")).unlinkIdentity);
const importSubject = later(async () => (await import("./import-subject.ts")).importSubject);
const sweepRetention = later(async () => (await import("./retention.ts")).sweepRetention);

/** What only the app's operator may do. */
export function createOperator(shared: Engine): Operator {
  const writer = (engine: Engine, target: { scope: FactScope; subject?: string; conversation?: string }): Writer => {
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
        shared,
        writer(shared, {
          scope: fact.scope,
          ...(subject === undefined ? {} : { subject }),
          ...(conversation === undefined ? {} : { conversation }),
        }),
        fact,
      ),
    forget({ key, scope, ...target }, options = {}) {
      const engine = withSignal(shared, options.signal);
      return withResidue(engine, forgetFacts(engine, writer(engine, { scope, ...target }), { key, scope }));
    },
    link: (link, options = {}) => linkIdentity(withSignal(shared, options.signal), link),
    unlink: ({ identity }, options = {}) => unlinkIdentity(withSignal(shared, options.signal), identity),
    async undo(fact, options = {}) {
      const engine = withSignal(shared, options.signal);
      const context = await writer(engine, fact).context();
      const owner = factOwner(context, fact.scope);
      return withResidue(engine, undoFact(engine, owner ? [owner] : [], fact.id));
    },
    async lift({ scope, subject, conversation, ...forgotten }, options = {}) {
      const engine = withSignal(shared, options.signal);
      const target = {
        scope,
        ...(subject === undefined ? {} : { subject }),
        ...(conversation === undefined ? {} : { conversation }),
      };
      const owner = factOwner(await writer(engine, target).context(), scope);
      if (owner === null) {
        const needed = scope === "conversation" ? "conversation" : "subject";
        return { status: "refused", code: "SUBJECT_REQUIRED", reason: `The scope "${scope}" needs a ${needed}.` };
      }
      await liftForgotten(engine, [owner], forgotten);
      engine.emit({ type: "memory.changed", operation: "lift", items: 1 });
      return { status: "stored" };
    },
    async transfer({ conversation, subject }, options = {}) {
      const engine = withSignal(shared, options.signal);
      checkId(conversation, "conversation id");
      checkId(subject, "subject id");
      const store = await engine.store();
      const row = await store.readConversation({ ...engine.owner, conversation });
      if (row === null) {
        return { status: "refused", code: "NOT_FOUND", reason: `There is no conversation "${conversation}".` };
      }
      const owner = await canonicalSubject(engine, subject);
      const items = await refile(engine, row, owner);
      engine.emit({ type: "memory.changed", conversation, subject: owner, operation: "transfer", items });
      return { status: "stored", id: conversation };
    },
    import: (data, options = {}) => importSubject(withSignal(shared, options.signal), data, options),
    sweepRetention(options = {}) {
      const engine = withSignal(shared, options.signal);
      return withResidue(engine, sweepRetention(engine, options));
    },
    failures(options = {}) {
      const engine = withSignal(shared, options.signal);
      return reporting(engine, listFailures(engine), ({ length }) => ({
        type: "memory.read",
        operation: "failures",
        items: length,
      }));
    },
    redrive: (options) => redrive(shared, options),
    async search(query, filter = {}) {
      if (filter.conversation !== undefined) checkId(filter.conversation, "conversation id");
      return searchMessages(shared, { kind: "agent" }, query, filter);
    },
  };
}
