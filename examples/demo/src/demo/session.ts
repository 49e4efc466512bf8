import { type Memory, patternDistiller } from "@throughline/core";
import { AGENTS, type Ask, loadAgent } from "../agents/agent.ts";
import type { ModelAddress } from "../agents/choose-model.ts";
import { openMemory } from "../open-memory.ts";
import { printCalls, printKnown } from "../show/print-known.ts";
import { printAnswer, printNote, printSaid, TALK_INDENT } from "../show/print-talk.ts";
import { green, heading, red, say, wrapped } from "../show/terminal.ts";
import { MISMATCH, type Start } from "./start.ts";
import { APP, type Line, MIRA, SESSIONS, type Session } from "./story.ts";

/*
 * One session, in a process of its own: all that it shares with the others is the file. `session.ts INDEX`; it loads its
 * framework at once and plays when it is told to.
 */

/** The name of the agent that a conversation is with. */
const nameOf = (conversation: string): string => {
  const session = SESSIONS.find((candidate) => candidate.conversation === conversation);
  return session === undefined ? conversation : AGENTS[session.agent];
};

async function playSession(index: number): Promise<void> {
  const session = SESSIONS[index];
  if (session === undefined) throw new Error(`There is no session ${index}.`);
  const ask = await loadAgent(session.agent);
  const { file, model } = await started();
  say(heading(`${index + 1}. ${AGENTS[session.agent]}: "${session.conversation}", process ${process.pid}`));
  const memory = openMemory({
    agent: APP,
    file,
    // Facts are what the person states outright; no model is asked for them.
    policy: { enabled: true, extract: { when: "after-reply" } },
    distiller: patternDistiller(),
  });
  try {
    const right: boolean[] = [];
    for (const line of session.lines) right.push(await playLine(memory, { session, line, ask, model }));
    if (!right.every(Boolean)) process.exitCode = MISMATCH;
  } finally {
    await memory.close();
  }
}

/** The message of the process that started this one; where that is gone, this one ends too. */
function started(): Promise<Start> {
  return new Promise((resolve) => {
    process.once("disconnect", () => process.exit(1));
    process.once("message", (message) => {
      process.removeAllListeners("disconnect");
      process.disconnect();
      // The demo's own message.
      resolve(message as Start);
    });
  });
}

interface Play {
  session: Session;
  line: Line;
  ask: Ask;
  model: ModelAddress;
}

async function playLine(memory: Memory, { session, line, ask, model }: Play): Promise<boolean> {
  const { person, says } = line;
  const id = person === MIRA ? session.conversation : `${session.conversation}-${person.id}`;
  const conversation = memory.conversation({ id, subject: person.id });
  printSaid(person.name, says);

  // A turn that is begun and not ended writes nothing. The agent's own begins like this one.
  const turn = await conversation.begin({ messages: [{ role: "user", content: says }], model: model.name });
  const isAsked = line.knows !== undefined;
  printKnown(turn, { nameOf, ...(isAsked ? { facts: await memory.subject(person.id).facts() } : {}) });

  const answer = await ask(conversation, says, { model, tools: { only: ["memory_search"] } });
  const { turns } = await conversation.transcript();
  const recorded = turns.at(-1);
  const answered = recorded === undefined ? [] : printCalls(recorded);
  printAnswer(AGENTS[session.agent], answer);

  await memory.settled();
  const noted = (await memory.subject(person.id).facts()).filter(({ source }) => source?.turn === recorded?.id);
  if (noted.length > 0) {
    printNote(`noted for all agents: ${noted.map(({ key, topic, value }) => `${key ?? topic}: ${value}`).join(", ")}`);
  }
  return judge(line, { answer, given: [turn.system, ...answered].join("\n"), recordedAs: recorded?.status });
}

/** Says whether the answer is right, and where not, whose fault it is. */
function judge(
  { knows, mustNotSay, person }: Line,
  seen: { answer: string; given: string; recordedAs: string | undefined },
): boolean {
  const verdict = (isRight: boolean, text: string): boolean => {
    const line = wrapped(`${isRight ? "✓" : "✗"} ${text}`, TALK_INDENT);
    say(`${" ".repeat(TALK_INDENT)}${isRight ? green(line) : red(line)}`);
    return isRight;
  };
  if (seen.recordedAs !== "completed") return verdict(false, "the turn was not recorded as completed");
  if (mustNotSay !== undefined) {
    const isKept = !mustNotSay.test(`${seen.answer}\n${seen.given}`);
    return verdict(isKept, isKept ? `nothing of ${MIRA.name}'s reaches ${person.name}` : "it told another person's");
  }
  if (knows === undefined) return true;
  const missing = knows.answer.filter((wanted) => !wanted.test(seen.answer));
  if (missing.length === 0) return verdict(true, `knew ${knows.what}`);
  const isGiven = missing.every((wanted) => wanted.test(seen.given));
  const fault = isGiven ? "the memory had told the model, which didn't say so" : "the memory had not told the model";
  return verdict(false, `did not know ${knows.what}: ${fault}`);
}

try {
  await playSession(Number(process.argv[2]));
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
