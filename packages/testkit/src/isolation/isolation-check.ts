import type { Conversation, Subject } from "@throughline/core";
import type { IdentityFamily } from "./identity-families.ts";
import type { Identity, IsolationDriver, IsolationRead, Planted } from "./isolation-driver.ts";
import { orderCalls } from "./obedient-model.ts";

const KINDS: readonly Planted[] = ["said", "fact", "kept"];

/** A text that is found as one word, and tells whose it is. */
export const tokenOf = (kind: Planted, index: number): string => `zq${kind}${String(index).padStart(4, "0")}x`;

const TOKEN = /zq(said|fact|kept)(\d{4})x/g;

/** Whose planted texts stand in a text, as `kind index`. */
const tokensIn = (text: string): Set<string> =>
  new Set([...text.matchAll(TOKEN)].map(([, kind, index]) => `${kind} ${Number(index)}`));

const pick = <Value>(of: { readonly [name: string]: Value }, index: number): [string, Value] => {
  const all = Object.entries(of);
  const found = all[index % all.length];
  if (found === undefined) throw new Error("The driver has no way to run this.");
  return found;
};

/** The ways that fit an identity. */
const fitting = <Way extends { readonly needsSubject?: boolean }>(
  ways: { readonly [name: string]: Way },
  { subject }: Identity,
) => Object.fromEntries(Object.entries(ways).filter(([, way]) => subject !== undefined || !way.needsSubject));

/** What core itself gives, whatever the adapter. */
const coreReads = (driver: IsolationDriver): { [name: string]: IsolationRead } => {
  const conversation = (who: Identity): Conversation =>
    driver
      .memory(who)
      .conversation({ id: who.conversation, ...(who.subject === undefined ? {} : { subject: who.subject }) });
  const subject = (who: Identity): Subject => driver.memory(who).subject(who.subject ?? "");
  const text = (value: unknown) => JSON.stringify(value);
  return {
    "the transcript": {
      shows: ["said"],
      reach: "conversation",
      read: async (who) => text(await conversation(who).transcript()),
    },
    "the block of the prompt": {
      shows: ["fact"],
      reach: "conversation",
      read: (who) => conversation(who).systemContext({ query: "locker code" }),
    },
    "the person's export": {
      shows: ["said", "fact"],
      reach: "subject",
      needsSubject: true,
      read: async (who) => text(await subject(who).export()),
    },
    "search among what the person said": {
      shows: ["said"],
      reach: "subject",
      needsSubject: true,
      read: async (who) => text(await subject(who).search("locker code")),
    },
  };
};

/** Plants what is each identity's own, all at once, as a server with many people does. */
export async function plant(driver: IsolationDriver, family: IdentityFamily): Promise<void> {
  const scope = family.isOnePerson ? { scope: "conversation" } : {};
  await Promise.all(
    family.identities.map(async (who, index) => {
      const fact = { key: "code", value: `the locker code ${tokenOf("fact", index)}`, ...scope };
      const [, way] = pick(fitting(driver.runs, who), index);
      const says = `My locker code is ${tokenOf("said", index)}.`;
      await way.run(who, orderCalls(says, [{ tool: "memory_remember", input: fact }]));
      await driver.keep?.(who, `the locker code ${tokenOf("kept", index)}`);
    }),
  );
  const memories = new Set(family.identities.map((who) => driver.memory(who)));
  for (const memory of memories) await memory.settled();
}

/** Is it still there, for an identity by its place in the family and one way to read? `null`: it may be. */
export type IsThere = (index: number, kind: Planted, way: string) => boolean | null;

/** Reads in every way; gives a line for each text seen that is another's, and each own one that isn't seen. */
export async function readAll(
  driver: IsolationDriver,
  family: IdentityFamily,
  isThere: IsThere = () => true,
): Promise<string[]> {
  const problems: string[] = [];
  const look = (way: string, index: number, seen: string, shows: readonly Planted[]): void => {
    const own = family.identities[index];
    const tokens = tokensIn(seen);
    for (const token of tokens) {
      const [kind, of] = token.split(" ");
      const other = family.identities[Number(of)];
      if (Number(of) !== index) problems.push(`${way}: ${shown(own)} sees what ${shown(other)} ${kind}`);
      // A word of the pattern's own alternatives.
      else if (isThere(index, kind as Planted, way) === false)
        problems.push(`${way}: ${shown(own)} sees what was erased (${kind})`);
    }
    for (const kind of KINDS) {
      if (!shows.includes(kind) || isThere(index, kind, way) !== true || tokens.has(`${kind} ${index}`)) continue;
      problems.push(`${way}: ${shown(own)} doesn't see its own (${kind})`);
    }
  };
  await Promise.all(
    family.identities.map(async (who, index) => {
      const reads = { ...coreReads(driver), ...fitting(driver.reads, who) };
      for (const [name, { shows, reach, needsSubject, read }] of Object.entries(reads)) {
        if (needsSubject && who.subject === undefined) continue;
        if (reach === "subject" && family.isOnePerson) continue;
        look(
          name,
          index,
          await read(who),
          shows.filter((kind) => kind !== "kept" || driver.keep !== undefined),
        );
      }
      for (const place of family.isOnePerson || who.subject === undefined ? ["here"] : ["here", "elsewhere"]) {
        const [name, way] = pick(fitting(driver.runs, who), index + (place === "here" ? 1 : 2));
        const at = place === "here" ? who : { ...who, conversation: `later ${index}` };
        const seen = await way.run(at, questionOf(family, index));
        look(`${name}, ${place}`, index, seen, ["said", "fact"]);
      }
    }),
  );
  return problems;
}

/** Runs that name what they may not reach: each is refused, or is shown nothing that was planted. Gives what was seen. */
export async function refusedRuns(driver: IsolationDriver, identities: readonly Identity[]): Promise<string[]> {
  const problems: string[] = [];
  await Promise.all(
    identities.map(async (who) => {
      for (const [name, way] of Object.entries(fitting(driver.runs, who))) {
        const calls = [{ tool: "memory_search", input: { query: "locker code", k: 20 } }];
        const seen = await way.run(who, orderCalls("What is it?", calls)).catch(() => "");
        for (const token of tokensIn(seen)) problems.push(`${name}: ${shown(who)} sees ${token}`);
      }
    }),
  );
  return problems;
}

/** Asks for all there is, and tries to name somebody else. */
function questionOf({ identities, isOnePerson }: IdentityFamily, index: number): string {
  const other = identities[(index + 1) % identities.length];
  const named = { ...other, userId: other?.subject, resourceId: other?.subject, threadId: other?.conversation };
  return orderCalls("What is it?", [
    { tool: "memory_recall", input: { key: "code" } },
    { tool: "memory_recall", input: { query: "locker code", ...named } },
    ...(isOnePerson ? [] : [{ tool: "memory_search", input: { query: "locker code", k: 20, ...named } }]),
  ]);
}

const shown = (who: Identity | undefined): string => JSON.stringify(who);
