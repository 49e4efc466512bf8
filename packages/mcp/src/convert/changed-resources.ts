import type { ChangeOperation, MemoryEvent } from "@throughline/core";
import { CONTEXT_URI, CONVERSATIONS_URI, conversationUri, FACTS_URI } from "./resource-uris.ts";

/** Which resources an event of the memory changes. */
export interface ResourceChange {
  uris: string[];
  /** The list of resources is another one too. */
  isListChanged: boolean;
}

const OF_FACTS: readonly ChangeOperation[] = ["undo", "lift"];
const OF_OTHERS: readonly ChangeOperation[] = [
  "put_record",
  "delete_record",
  "patch_artifact",
  "delete_artifact",
  "copy_checkpoints",
  "remove_checkpoints",
];
const EVERYTHING: ResourceChange = { uris: [CONTEXT_URI, FACTS_URI, CONVERSATIONS_URI], isListChanged: true };

/** Whether an event is about what this identity reaches. What names nobody is the agent's, and everybody's. */
export function isAbout(event: MemoryEvent, who: { subject: string | undefined; conversation: string | undefined }) {
  if (event.subject !== undefined && who.subject !== undefined) return event.subject === who.subject;
  if (event.conversation !== undefined) return event.conversation === who.conversation;
  return event.subject === undefined;
}

/** What an event changes of the resources; `null` for one that changes none. Pure. */
export function changedResources(event: MemoryEvent): ResourceChange | null {
  switch (event.type) {
    case "memory.remembered":
      return ["stored", "merged", "superseded"].includes(event.status) ? facts() : null;
    case "memory.forgotten":
      return event.facts > 0 ? facts() : null;
    case "memory.extracted":
    case "memory.distilled":
      return event.stored + event.superseded + event.merged > 0 ? facts() : null;
    case "memory.recorded":
      return ["stored", "merged", "superseded"].includes(event.status) ? conversation(event) : null;
    case "memory.folded":
    case "memory.carried_over":
      return { uris: [CONTEXT_URI], isListChanged: false };
    case "memory.changed":
      if (OF_OTHERS.includes(event.operation)) return null;
      return OF_FACTS.includes(event.operation) ? facts() : conversation(event);
    case "memory.erased":
    case "memory.imported":
      return EVERYTHING;
    default:
      return null;
  }
}

const facts = (): ResourceChange => ({ uris: [FACTS_URI, CONTEXT_URI], isListChanged: false });

const conversation = ({ conversation: id }: MemoryEvent): ResourceChange => ({
  uris: [CONVERSATIONS_URI, CONTEXT_URI, ...(id === undefined ? [] : [conversationUri(id)])],
  isListChanged: true,
});
