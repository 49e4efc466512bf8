import { join } from "node:path";
import { type Conversation, extractiveSummarizer, type Memory, memoryTools, patternDistiller } from "@throughline/core";
import { openMemory } from "../open-memory.ts";
import { Problem } from "../problem.ts";
import { printExplanation } from "../show/print-explanation.ts";
import { oneLine } from "../show/print-talk.ts";
import { bold, dim, green, heading, indented, printable, red, say } from "../show/terminal.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { APP, LONG, MIRA, STATED } from "./story.ts";

/** Small, so that a short chat shows it: past six messages all but two are folded, into some sixty tokens. */
const POLICY = {
  enabled: true,
  conversation: { maxMessages: 6, keepMessages: 2 },
  summarize: { maxTokens: 60 },
  extract: { when: "after-reply" },
} as const;

/** Shows what else the memory does, through its own calls; throws where something isn't as it should be. */
export async function more(): Promise<void> {
  const file = join(temporaryFolder(), "memory.db");
  const [summarizer, distiller] = [extractiveSummarizer(), patternDistiller()];
  const memory = openMemory({ agent: APP, file, policy: POLICY, summarizer, distiller });
  const checks: boolean[] = [];
  try {
    for (const part of [showFold, showStatements, showForgetting, showArtifact, showExplanation])
      checks.push(await part(memory));
  } finally {
    await memory.close();
  }
  say(dim(`\n  The file of this run stays at ${file}.`));
  if (!checks.every(Boolean)) throw new Problem("\nThe check failed: the memory did not do what is said of it above.");
  say(`\n${bold("Checked: all of it is as it says.")}`);
}

/** Says whether it came as it should. */
function check(isSo: boolean, what: string): boolean {
  say(isSo ? green(`  ✓ ${what}`) : red(`  ✗ not so: ${what}`));
  return isSo;
}

const of = (memory: Memory, id: string): Conversation => memory.conversation({ id, subject: MIRA.id });

/** Calls a memory tool as an agent's model would, and prints it. */
async function callTool(conversation: Conversation, name: string, input: object, maxChars = 240): Promise<string> {
  say(dim(`  calls ${name} ${oneLine(input)}`));
  const tool = memoryTools(conversation).find((candidate) => candidate.name === name);
  const output = (await tool?.run(input)) ?? "";
  const cut = output.length > maxChars ? `${output.slice(0, maxChars).toWellFormed()} […]` : output;
  say(dim(indented(printable(`→ ${cut}`), 4)));
  return output;
}

async function showFold(memory: Memory): Promise<boolean> {
  say(heading("A long conversation is folded"));
  const chat = of(memory, LONG.conversation);
  for (const [asked, answered] of LONG.exchanges) {
    await chat.record({
      messages: [
        { role: "user", content: asked },
        { role: "assistant", content: answered },
      ],
    });
  }
  const before = await chat.history();
  say(`  ${before.length} messages of history before, ${POLICY.conversation.maxMessages} is what the policy allows`);
  // The work after the reply; a server has it done in the background.
  await memory.settled();
  const [after, summary, { turns }] = [await chat.history(), await chat.summary(), await chat.transcript()];
  say(
    `  ${after.length} messages after, ${summary?.turns ?? 0} turns in the summary, all ${turns.length} in the transcript:`,
  );
  say(dim(indented(printable(summary?.text ?? ""), 6)));
  const isFolded =
    after.length < before.length && summary !== null && after.length / 2 + summary.turns === turns.length;
  return check(isFolded && turns.length === LONG.exchanges.length, "every turn is in the summary or in the history");
}

async function showStatements(memory: Memory): Promise<boolean> {
  say(heading("What is stated outright is remembered without a tool, and without a model"));
  const chat = of(memory, STATED.conversation);
  for (const [asked, answered] of STATED.exchanges) {
    say(`  ${bold(MIRA.name)}: ${asked}`);
    await chat.record({
      messages: [
        { role: "user", content: asked },
        { role: "assistant", content: answered },
      ],
    });
  }
  await memory.settled();
  const facts = (await memory.subject(MIRA.id).facts()).filter(
    ({ source }) => source?.conversation === STATED.conversation,
  );
  for (const { key, topic, value, source } of facts.toReversed()) {
    say(dim(`      ${key ?? topic}: ${oneLine(value)} because of "${source?.quote}"`));
  }
  const isRight =
    facts
      .map(({ value }) => value)
      .sort()
      .join() === [...STATED.facts].sort().join();
  return check(isRight, "neither questions nor the assistant's words became facts");
}

async function showForgetting(memory: Memory): Promise<boolean> {
  say(heading("What was forgotten stays forgotten"));
  const chat = of(memory, LONG.conversation);
  await memory.subject(MIRA.id).remember({ key: "phone", value: "555-0142" });
  say(`  ${MIRA.name}'s phone is known: ${String(await chat.recall("phone"))}`);
  await callTool(chat, "memory_forget", { key: "phone" });
  say("  Later the agent comes across it again, and under another key:");
  await callTool(chat, "memory_remember", { key: "phone", value: "555-0142" });
  const refusal = await callTool(chat, "memory_remember", { key: "contact", value: " 555-0142" });
  const gone = (await memory.subject(MIRA.id).facts({ history: true })).every(({ value }) => value !== "555-0142");
  return check(gone && /forgotten/.test(refusal), `refused until ${MIRA.name} says it herself`);
}

async function showArtifact(memory: Memory): Promise<boolean> {
  say(heading("A large tool result stays outside the prompt"));
  const chat = of(memory, "report-chat");
  const turn = await chat.begin({ messages: [{ role: "user", content: "Fetch the timetable." }] });
  const output = Array.from(
    { length: 1_500 },
    (_, trip) => `trip ${trip + 1}: tram 28 leaves at stop ${trip % 40}`,
  ).join("\n");
  const shown = await turn.offload({ type: "tool-result", callId: "call-1", tool: "fetch_timetable", output });
  const preview = String(shown.output);
  say(`  the tool answered ${output.length} characters, the model reads ${preview.length} of them:`);
  const lines = preview.split("\n");
  say(dim(indented(printable([lines[0]?.slice(0, 120), "[…]", ...lines.slice(-2)].join("\n")), 6)));
  await turn.complete([
    { role: "assistant", parts: [{ type: "tool-call", callId: "call-1", tool: "fetch_timetable", input: {} }] },
    { role: "tool", parts: [shown] },
    { role: "assistant", content: "There it is." },
  ]);
  const id = /art_\w+/.exec(preview)?.[0] ?? "";
  await callTool(chat, "get_artifact", { id, page: 2 }, 120);
  const edits = [{ find: "trip 1200: tram 28 leaves at stop 39", replace: "trip 1200: cancelled" }];
  await callTool(chat, "patch_artifact", { id, edits });
  const whole = new TextDecoder().decode(await chat.artifact(id).bytes());
  const isPatched = whole === output.replace(edits[0]?.find ?? "", edits[0]?.replace ?? "");
  return check(isPatched && preview.length < output.length / 4, "read by the page and changed in one place");
}

async function showExplanation(memory: Memory): Promise<boolean> {
  say(heading("Why the prompt holds what it holds"));
  const chat = of(memory, LONG.conversation);
  const turn = await chat.begin({ messages: [{ role: "user", content: LONG.asks }], recall: 2 });
  say(`  ${bold(MIRA.name)} asks: ${LONG.asks}`);
  await printExplanation(chat, turn);
  const { budget, items } = turn.explain();
  const kinds = new Set(items.filter((item) => item.included).map((item) => item.kind));
  const isWhole = (["summary", "fact", "history"] as const).every((kind) => kinds.has(kind));
  return check(
    isWhole && budget.used <= budget.total,
    "summary, facts and history within one budget, each with a reason",
  );
}
