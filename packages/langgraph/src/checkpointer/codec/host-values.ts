import { Document } from "@langchain/core/documents";
import { Command, Overwrite, Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";

type Parts = Record<string, unknown>;

/** A class of the host's that states hold: how it is known, what is kept of it, how it is made again. */
interface HostValue {
  is(value: object): boolean;
  parts(value: object): Parts;
  make(parts: Parts): unknown;
}

/** The host marks its own values by a name, so that several copies of it get along. */
const named = (name: string) => (value: object) => (value as { lg_name?: unknown }).lg_name === name;

/** A value by its members' names. */
const view = (value: object): Parts => value as Parts;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** By the tag that is written. No other class is ever made. */
export const HOST_VALUES: Readonly<Record<string, HostValue>> = {
  Send: {
    is: named("Send"),
    parts: (value) => ({ node: view(value).node, args: view(value).args, timeout: view(value).timeout }),
    make: ({ node, args, timeout }) => Object.assign(new Send(text(node), undefined), { args, timeout }),
  },
  Command: {
    is: named("Command"),
    parts: (value) => ({
      graph: view(value).graph,
      update: view(value).update,
      resume: view(value).resume,
      goto: view(value).goto,
    }),
    make: ({ graph, update, resume, goto = [] }) =>
      // The parts are those of a command. Its constructor takes plain objects that look like its own for such; these are exact.
      Object.assign(new Command({ graph, update, resume, goto } as ConstructorParameters<typeof Command>[0]), { goto }),
  },
  Overwrite: {
    is: named("Overwrite"),
    parts: (value) => ({ value: view(value).value }),
    make: ({ value }) => new Overwrite(value),
  },
  DeltaSnapshot: {
    is: named("DeltaSnapshot"),
    parts: (value) => ({ value: view(value).value }),
    make: ({ value }) => new DeltaSnapshot(value),
  },
  Document: {
    is: (value) => value instanceof Document,
    parts: (value) => ({ pageContent: view(value).pageContent, metadata: view(value).metadata, id: view(value).id }),
    make: ({ pageContent, metadata, id }) =>
      Object.assign(new Document({ pageContent: text(pageContent) }), {
        pageContent,
        metadata,
        ...(id === undefined ? {} : { id }),
      }),
  },
};

/** The tag of a host's value; `null` for anything else. */
export function hostTag(value: object): string | null {
  for (const tag in HOST_VALUES) if (HOST_VALUES[tag]?.is(value) === true) return tag;
  return null;
}
