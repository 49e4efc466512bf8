import { isNumber, isNumberKind, type NumberKind, wantedNumber } from "../checks/numbers.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { didYouMean } from "../text/did-you-mean.ts";

/** What a member of an argument has to be, beside numbers; `any` is looked at where it is used. */
type OtherKind = "text" | "flag" | "list" | "messages" | "object" | "signal" | "any";
type Kind = OtherKind | NumberKind;

/** An argument that is an object: its members that are looked at here. */
interface ObjectShape {
  members: Readonly<Record<string, Kind>>;
  /** It may be left out. */
  optional: boolean;
  /** Members that aren't listed may stand in it: it is a thing that the app has, and no list of options. */
  open?: boolean | ((value: object) => boolean);
  /** A text may stand in its place: another form of the call. */
  orText?: boolean;
}

/** One argument. */
type Shape = ObjectShape | { kind: Kind; optional: boolean };

const options = (members: ObjectShape["members"]): ObjectShape => ({
  members: { signal: "signal", ...members },
  optional: true,
});
const input = (members: ObjectShape["members"]): ObjectShape => ({ ...options(members), optional: false });
/** A member that isn't listed is an error elsewhere, since it was meant to do something. */
const thing = (members: ObjectShape["members"]): ObjectShape => ({ ...input(members), open: true });
/** A fact as the memory gave it, and no list of options. */
const isFact = (value: object): boolean => "id" in value && "value" in value && "createdAt" in value;
const messages = (optional: boolean): Shape => ({ kind: "messages", optional });
const any: Shape = { kind: "any", optional: true };
const text: Shape = { kind: "text", optional: false };

const fact = {
  key: "any",
  value: "any",
  scope: "text",
  type: "text",
  tags: "list",
  topic: "text",
  ttl: "any",
  confidence: "share",
  quote: "text",
  origin: "text",
  ifVersion: "whole",
  idempotencyKey: "text",
  multiple: "flag",
  turn: "any",
} as const;
const search = {
  k: "most",
  role: "text",
  toolResults: "flag",
  excludeHistory: "flag",
  mode: "text",
  neighbours: "whole",
  from: "any",
  to: "any",
  conversation: "any",
} as const;
const found = { scope: "text", type: "text", tags: "list" } as const;
const page = { limit: "some", cursor: "text" } as const;
const call = options({});

/** The arguments of public calls, as far as a look at their form goes. Calls that aren't listed take what they check. */
export const CALL_SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  "memory.conversations": [options({ ...page, subject: "any" })],
  "memory.search": [text, input({ ...search, subject: "any" })],
  "memory.sweep": [options({ limit: "count" })],
  "memory.ingest": [thing({}), call],
  "memory.distill": [call],
  "memory.reindex": [options({ onProgress: "any" })],

  "conversation.begin": [
    options({
      id: "any",
      messages: "messages",
      query: "text",
      model: "text",
      agentName: "text",
      replaces: "any",
      recall: "most",
      canHold: "any",
    }),
  ],
  "conversation.resume": [any, call],
  "conversation.record": [
    input({
      id: "any",
      messages: "messages",
      status: "text",
      startedAt: "any",
      endedAt: "any",
      agentName: "text",
      replaces: "any",
    }),
  ],
  "conversation.info": [call],
  "conversation.reconcile": [messages(false), call],
  "conversation.history": [options({ maxMessages: "count", maxTokens: "count", model: "text" })],
  "conversation.systemContext": [options({ query: "text", model: "text", recall: "most" })],
  "conversation.transcript": [options({ ...page, order: "text" })],
  "conversation.summary": [options({ asOf: "any" })],
  "conversation.deleteSummary": [call],
  "conversation.remember": [{ ...input(fact), orText: true }, any, options(fact)],
  "conversation.recall": [
    {
      ...input({ ...found, query: "text", n: "some", order: "text", asOf: "any" }),
      orText: true,
    },
    options({ scope: "text" }),
  ],
  "conversation.forget": [
    {
      ...input({
        id: "any",
        key: "any",
        tag: "text",
        scope: "text",
        all: "flag",
        dryRun: "flag",
        idempotencyKey: "text",
      }),
      open: isFact,
      orText: true,
    },
    options({ scope: "text", idempotencyKey: "text" }),
  ],
  "conversation.search": [text, options(search)],
  "conversation.rebindSubject": [any, options({ restamp: "text" })],
  "conversation.update": [thing({ ifVersion: "whole" })],
  "conversation.clone": [any, call],
  "conversation.rewind": [input({ to: "any" })],
  "conversation.deleteMessages": [{ kind: "list", optional: false }, call],
  "conversation.clear": [call],
  "conversation.delete": [options({ derived: "flag" })],

  "turn.offload": [thing({}), options({ artifactTools: "flag", keepMedia: "flag" })],
  "turn.compact": [messages(false), options({ system: "text", tools: "any", besideTokens: "amount" })],
  "turn.preflight": [messages(false), options({ system: "text", tools: "any" })],
  "turn.append": [messages(false)],
  "turn.complete": [messages(true), call],
  "turn.abort": [messages(true), call],
  "turn.fail": [any, messages(true), call],
  "turn.pause": [messages(true), call],

  "artifact.info": [call],
  "artifact.page": [any, call],
  "artifact.bytes": [call],
  "artifact.delete": [call],

  "subject.facts": [options({ scope: "text", history: "flag" })],
  "subject.remember": [input(fact)],
  "subject.search": [text, options(search)],
  "subject.conversations": [options(page)],
  "subject.carryOver": [options({ login: "text" })],
  "subject.deleteCarryOver": [options({ login: "text" })],
  "subject.undo": [any, call],
  "subject.lift": [thing({ topic: "text" }), call],
  "subject.audit": [call],
  "subject.export": [call],
  "subject.erase": [call],
  "subject.changes": [call],

  "operator.remember": [input({ ...fact, subject: "any", conversation: "any" })],
  "operator.forget": [thing({ scope: "text" }), call],
  "operator.search": [text, options(search)],
  "operator.link": [thing({}), call],
  "operator.unlink": [thing({}), call],
  "operator.undo": [thing({ scope: "text" }), call],
  "operator.lift": [thing({ scope: "text", topic: "text" }), call],
  "operator.transfer": [thing({}), call],
  "operator.import": [any, options({ subject: "any", trusted: "flag" })],
  "operator.sweepRetention": [options({ dryRun: "flag" })],
  "operator.failures": [call],
  "operator.redrive": [call],

  "records.get": [any, call],
  "records.put": [any, any, options({ ifVersion: "whole", ttl: "any", subject: "any" })],
  "records.delete": [any, options({ ifVersion: "whole" })],
  "records.list": [options({ limit: "whole", offset: "whole" })],
  "records.search": [text, options({ limit: "whole" })],

  "checkpoints.threads": [options({ ...page, limit: "count", subject: "text" }), call],
  "checkpoints.list": [thing({ limit: "whole" }), call],
};

const WANTED: Readonly<Record<OtherKind, string>> = {
  text: "a text",
  flag: "true or false",
  list: "an array",
  messages: "an array of messages, each { role, content } or { role, parts }",
  object: "an object",
  signal: "an AbortSignal",
  any: "anything",
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isMessage = (value: unknown): boolean => isRecord(value) && typeof value.role === "string";

function fits(kind: Kind, value: unknown): boolean {
  if (isNumberKind(kind)) return isNumber(kind, value);
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    case "messages":
      return Array.isArray(value) && value.every(isMessage);
    case "object":
      return isRecord(value);
    case "signal":
      return isRecord(value) && typeof value.aborted === "boolean";
    default:
      return true;
  }
}

/** A value by its kind, for messages: never a text itself, which may be what was said. */
const kindOf = (value: unknown): string =>
  value === null || value === undefined || typeof value === "number"
    ? String(value)
    : Array.isArray(value)
      ? "an array"
      : `a${typeof value === "object" ? "n" : ""} ${typeof value}`;

function refuse(kind: Kind, call: string, what: string, value: unknown): never {
  const which =
    kind === "messages" && Array.isArray(value)
      ? `the element ${value.findIndex((message) => !isMessage(message))} is none`
      : `it is ${kindOf(value)}`;
  throw new MemoryError(
    kind === "messages" ? "INVALID_MESSAGE" : "INVALID_ARGUMENT",
    `${call}: ${what} must be ${isNumberKind(kind) ? wantedNumber(kind) : WANTED[kind]}; ${which}.`,
    { details: { call, what } },
  );
}

/** Checks the arguments of one call. Throws `INVALID_ARGUMENT`, or `INVALID_MESSAGE` where messages are none. */
export function checkCall(call: string, shapes: readonly Shape[], args: readonly unknown[]): void {
  for (let index = 0; index < shapes.length; index++) {
    const shape = shapes[index] as Shape;
    const value = args[index];
    if (value === undefined && shape.optional) continue;
    if ("kind" in shape) {
      if (!fits(shape.kind, value)) refuse(shape.kind, call, shapes.length > 1 ? `argument ${index + 1}` : "it", value);
    } else checkObject(call, shape, value);
  }
}

function checkObject(call: string, shape: ObjectShape, value: unknown): void {
  if (shape.orText && typeof value === "string") return;
  const takes = () => Object.keys(shape.members).join(", ");
  if (!isRecord(value)) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      `${call} takes an object${shape.open === true ? "" : ` with ${takes()}`}; it got ${kindOf(value)}.`,
      { details: { call } },
    );
  }
  const isOpen = typeof shape.open === "function" ? shape.open(value) : shape.open === true;
  for (const member of Object.keys(value)) {
    const given = value[member];
    if (given === undefined) continue;
    const kind = Object.hasOwn(shape.members, member) ? shape.members[member] : undefined;
    if (kind === undefined) {
      if (isOpen) continue;
      const meant = didYouMean(member, Object.keys(shape.members));
      throw new MemoryError("INVALID_ARGUMENT", `${call} has no option "${member}"${meant}; it takes ${takes()}.`, {
        details: { call, what: member },
      });
    }
    if (!fits(kind, given)) refuse(kind, call, member, given);
  }
}
