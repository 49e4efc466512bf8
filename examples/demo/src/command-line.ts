import { parseArgs } from "node:util";
import { Problem } from "./problem.ts";

/** What to run. */
export type Command =
  | { kind: "help" }
  | { kind: "demo" }
  | { kind: "chat"; file?: string; subject: string }
  | { kind: "replay"; transcript: string; searches: string[]; file?: string; subject?: string; top: number };

export const USAGE = `Usage: npm run demo                             two sessions of one person, offline, checked
       npm run demo -- --chat                   talk to an agent with a memory
       npm run demo -- --replay FILE            record a transcript and search it

  --chat             keeps what is said in a file, so that the next chat knows it
    --subject NAME   who is talking (default: you)
    --file PATH      the SQLite file (default: in your data folder)

  --replay FILE      JSON lines: { "role", "content", "time", "conversation"?, "subject"? }
    --search WORDS   search once and leave; may be given several times
                     (default: asks for words, or reads them line by line from a pipe)
    --top N          hits per search (default: 5)
    --subject NAME   whose transcript it is, where the lines don't say
    --file PATH      keep the recording in this SQLite file (default: a temporary one)

  --help             this text

Without a key a scripted offline model answers. With OPENAI_API_KEY or OPENAI_BASE_URL (Ollama, vLLM, …)
the demo and the chat talk to that model; OPENAI_MODEL names it.`;

const usage = (message: string): Problem => new Problem(`${message}\n\n${USAGE}`, { exitCode: 2 });

/** Reads the command line. Throws a `Problem` that says what is wrong with it. */
export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const { chat, replay, search, file, subject, top } = values;
  if (values.help) return { kind: "help" };
  if (positionals.length > 0) throw usage(`Not understood: ${positionals.join(" ")}`);
  for (const [name, value] of Object.entries({ replay, file, subject })) {
    if (value === "") throw usage(`--${name} needs a value.`);
  }
  const at = file === undefined ? {} : { file };
  if (chat && replay !== undefined) throw usage("Either --chat or --replay, not both.");
  if (replay !== undefined) {
    const of = subject === undefined ? {} : { subject };
    return { kind: "replay", transcript: replay, searches: search ?? [], top: readTop(top), ...at, ...of };
  }
  if (search !== undefined || top !== undefined) throw usage("--search and --top go with --replay FILE.");
  if (chat) return { kind: "chat", subject: subject ?? "you", ...at };
  if (subject !== undefined || file !== undefined) throw usage("--subject and --file go with --chat or --replay FILE.");
  return { kind: "demo" };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        chat: { type: "boolean" },
        replay: { type: "string" },
        search: { type: "string", multiple: true },
        top: { type: "string" },
        file: { type: "string" },
        subject: { type: "string" },
      },
    });
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
}

function readTop(top: string | undefined): number {
  const hits = Number(top ?? "5");
  if (!Number.isInteger(hits) || hits < 1 || hits > 100) throw usage("--top needs a whole number from 1 to 100.");
  return hits;
}
