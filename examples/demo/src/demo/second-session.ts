import { chooseModel } from "../agent/choose-model.ts";
import { openMemory } from "../open-memory.ts";
import { green, heading, red, say } from "../show/terminal.ts";
import { play } from "./play.ts";
import { AGENT, SECOND } from "./story.ts";

/** The second session, in a process of its own: all it shares with the first is the file. */
async function secondSession(file: string): Promise<boolean> {
  say(heading(`Session 2: conversation "${SECOND.conversation}", new process ${process.pid}`));
  const memory = openMemory({ agent: AGENT, file });
  try {
    const { model } = await chooseModel(process.env);
    const says = SECOND.asks.map(({ text }) => text);
    const answers = await play(memory, { conversation: SECOND.conversation, says, model });
    say();
    const known = SECOND.asks.map(({ knows, what, how }, index) => {
      const isKnown = knows.test(answers[index] ?? "");
      say(isKnown ? green(`  ✓ knew ${what} (${how})`) : red(`  ✗ did not know ${what} (${how})`));
      return isKnown;
    });
    return known.every(Boolean);
  } finally {
    await memory.close();
  }
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("The second session needs the file of the first.");
if (!(await secondSession(file))) process.exitCode = 3;
