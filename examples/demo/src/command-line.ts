import { parseArgs } from "node:util";
import { AGENTS, type AgentId, isAgentId } from "./agents/agent.ts";
import { Problem } from "./problem.ts";

/** What to run. */
export type Command =
  | { kind: "help" }
  | { kind: "demo" }
  | { kind: "more" }
  | { kind: "chat"; agent: AgentId; file?: string; subject: string }
  | { kind: "replay"; transcript: string; searches: string[]; file?: string; subject?: string; top: number };

export const USAGE = `Usage: npm run demo                             one person, four agents, one memory; checked
       npm run demo -- --chat                   talk to the four agents yourself
       npm run demo -- --more                   folding, forgetting, large tool results, budgets
       npm run demo -- --replay FILE            record a transcript and search it

  --chat             keeps what is said in a file, so that the next chat knows it
    --agent NAME     who answers: langgraph, ai-sdk (default), openai-agents or mastra
    --subject NAME   who is talking (default: you)
    --file PATH      the SQLite file (default: in your data folder)

  --replay FILE      JSON lines: { "role", "content", "time", "conversation"?, "subject"? }
    --search WORDS   search once and leave; may be given several times
                     (default: asks for words, or reads them line by line from a pipe)
    --top N          hits per search (default: 5)
    --subject NAME   whose transcript it is, where the lines don't say
    --file PATH      keep the recording in this SQLite file (default: a temporary one)

  --help             this text

Without a key a scripted assistant answers. With OPENAI_API_KEY or OPENAI_BASE_URL (Ollama, vLLM, …)
the demo and the chat talk to that model; OPENAI_MODEL names it.`;

const usage = (message: string): Problem => new Problem(`${message}\n\n${USAGE}`, { exitCode: 2 });

/** Reads the command line. Throws a `Problem` that says what is wrong with it. */
export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const { agent, chat, replay, search, file, subject, top } = values;
  if (values.help) return { kind: "help" };
  if (positionals.length > 0) throw usage(`Not understood: ${positionals.join(" ")}`);
  for (const [name, value] of Object.entries({ replay, file, subject })) {
    if (value === "") throw usage(`--${name} needs a value.`);
  }
  const at = file === undefined ? {} : { file };
  if ([chat, values.more, replay !== undefined].filter(Boolean).length > 1) {
    throw usage("One of --chat, --more and --replay, not several.");
  }
  if (agent !== undefined && !chat) throw usage("--agent goes with --chat.");
  if (replay !== undefined) {
    const of = subject === undefined ? {} : { subject };
    return { kind: "replay", transcript: replay, searches: search ?? [], top: readTop(top), ...at, ...of };
  }
  if (search !== undefined || top !== undefined) throw usage("--search and --top go with --replay FILE.");
  if (chat) return { kind: "chat", agent: readAgent(agent), subject: subject ?? "you", ...at };
  if (subject !== undefined || file !== undefined) throw usage("--subject and --file go with --chat or --replay FILE.");
  return { kind: values.more ? "more" : "demo" };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        chat: { type: "boolean" },
        more: { type: "boolean" },
        agent: { type: "string" },
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

function readAgent(name = "ai-sdk"): AgentId {
  if (!isAgentId(name)) throw usage(`--agent needs one of ${Object.keys(AGENTS).join(", ")}.`);
  return name;
}

function readTop(top: string | undefined): number {
  const hits = Number(top ?? "5");
  if (!Number.isInteger(hits) || hits < 1 || hits > 100) throw usage("--top needs a whole number from 1 to 100.");
  return hits;
}
