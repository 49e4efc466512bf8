import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MemoryError } from "@throughline/core";

/** What the command was asked to serve. */
export interface CommandOptions {
  /** The store's URL. May hold a password. */
  storeUrl: string;
  agent: string;
  tenant: string | undefined;
  subject: string | undefined;
  conversation: string | undefined;
  login: string | undefined;
  isReadOnly: boolean;
}

export const HELP = `Serves an agent's memory to one MCP client over stdin and stdout.

  throughline-mcp --store memory.db --subject ada

  --store <file or URL>   a SQLite file, sqlite:… or postgres://…        AGENT_MEMORY_URL
  --subject <id>          the person whose memory it is                  AGENT_MEMORY_SUBJECT
  --agent <id>            the agent whose memory it is (default: mcp)    AGENT_ID
  --tenant <id>           the outermost boundary (default: default)      AGENT_MEMORY_TENANT
  --conversation <id>     the one conversation that is going on          AGENT_MEMORY_CONVERSATION
  --login <id>            the subject's login session                    AGENT_MEMORY_LOGIN
  --read-only             only the tools that read
  --help, --version

A flag counts more than the environment. AGENT_MEMORY_CONFIG holds the policy, as JSON. What goes wrong is on stderr.
Agents that are to share what they know of a person use one agent id.`;

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean", default: false } as const;

/** Reads arguments and environment. Throws `INVALID_ARGUMENT` with the fix in it. */
export function readOptions(
  args: readonly string[],
  env: Record<string, string | undefined>,
): CommandOptions | "help" | "version" {
  const { values } = parse(args);
  if (values.help) return "help";
  if (values.version) return "version";
  const setting = (flag: "store" | "subject" | "agent" | "tenant" | "conversation" | "login", name: string) => {
    const value = values[flag] ?? (env[name] || undefined);
    if (value?.trim() === "") throw fault(`--${flag} is empty; give it a value, or leave it out.`);
    return value;
  };
  const store = setting("store", "AGENT_MEMORY_URL");
  if (store === undefined)
    throw fault("Where the memory is kept isn't said: give --store memory.db or a database's URL.");
  const subject = setting("subject", "AGENT_MEMORY_SUBJECT");
  const conversation = setting("conversation", "AGENT_MEMORY_CONVERSATION");
  if (subject === undefined && conversation === undefined) {
    throw fault("Whose memory it is isn't said: give --subject with a stable id of the person, or --conversation.");
  }
  return {
    storeUrl: toStoreUrl(store),
    agent: setting("agent", "AGENT_ID") ?? "mcp",
    tenant: setting("tenant", "AGENT_MEMORY_TENANT"),
    subject,
    conversation,
    login: setting("login", "AGENT_MEMORY_LOGIN"),
    isReadOnly: values["read-only"],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        store: TEXT,
        subject: TEXT,
        agent: TEXT,
        tenant: TEXT,
        conversation: TEXT,
        login: TEXT,
        "read-only": FLAG,
        help: FLAG,
        version: FLAG,
      },
    });
  } catch (cause) {
    // Node's own words name the argument; it holds no secret, as no flag that is known takes one by accident.
    const why = cause instanceof Error ? cause.message.split(". ")[0] : "The arguments can't be read";
    throw fault(`${why}; --help lists what there is.`, cause);
  }
}

const fault = (message: string, cause?: unknown): MemoryError =>
  new MemoryError("INVALID_ARGUMENT", message, cause === undefined ? {} : { cause });

/** A file becomes a URL of SQLite's; `~` is the home folder, since clients start a command without a shell. */
function toStoreUrl(store: string): string {
  // One letter is a drive.
  if (/^[a-z][a-z0-9+.-]+:/i.test(store)) return store;
  const path = /^~[/\\]/.test(store) ? join(homedir(), store.slice(2)) : store;
  return `sqlite:${encodeURIComponent(path)}`;
}
