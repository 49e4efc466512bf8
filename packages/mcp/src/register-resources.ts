import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { asMemoryError, type MemoryError } from "@throughline/core";
import { CONTEXT_URI, CONVERSATIONS_URI, FACTS_URI, uriTemplates } from "./convert/resource-uris.ts";
import type { Reach } from "./identity.ts";
import {
  listConversations,
  ownConversations,
  readContext,
  readConversation,
  readConversations,
  readFacts,
  readSearch,
} from "./read-resources.ts";

const JSON_TYPE = "application/json";
/** Conversations that an id is completed from. */
const MAX_COMPLETED = 100;

/** Puts the memory's resources among a server's. */
export function registerResources(server: McpServer, reach: Reach): void {
  const templates = uriTemplates();
  const list = () => guarded(CONVERSATIONS_URI, () => listConversations(reach));
  const complete = async (start: string) => {
    const infos = await guarded(CONVERSATIONS_URI, () => ownConversations(reach, MAX_COMPLETED));
    return infos.map(({ id }) => id).filter((id) => id.startsWith(start));
  };
  const only = (template: (typeof templates)["facts"]) => new ResourceTemplate(template, { list: undefined });

  server.registerResource(
    "context",
    CONTEXT_URI,
    {
      title: "What is known",
      description: "Facts, summary and what earlier conversations were about, as a block for a prompt.",
      mimeType: "text/plain",
    },
    (uri, { mcpReq }) => answer(uri, "text/plain", () => readContext(reach, mcpReq.signal)),
  );
  server.registerResource(
    "facts",
    FACTS_URI,
    { title: "Facts", description: "What is remembered, most recently updated first.", mimeType: JSON_TYPE },
    (uri, { mcpReq }) => answer(uri, JSON_TYPE, () => readFacts(reach, undefined, mcpReq.signal)),
  );
  server.registerResource(
    "facts-page",
    only(templates.facts),
    { title: "More facts", description: "A further page of facts.", mimeType: JSON_TYPE },
    (uri, { cursor }, { mcpReq }) => answer(uri, JSON_TYPE, () => readFacts(reach, one(cursor), mcpReq.signal)),
  );
  server.registerResource(
    "conversations",
    CONVERSATIONS_URI,
    { title: "Conversations", description: "Past conversations, most recently active first.", mimeType: JSON_TYPE },
    (uri, { mcpReq }) => answer(uri, JSON_TYPE, () => readConversations(reach, undefined, mcpReq.signal)),
  );
  server.registerResource(
    "conversations-page",
    only(templates.conversations),
    { title: "More conversations", description: "A further page of conversations.", mimeType: JSON_TYPE },
    (uri, { cursor }, { mcpReq }) => answer(uri, JSON_TYPE, () => readConversations(reach, one(cursor), mcpReq.signal)),
  );
  server.registerResource(
    "conversation",
    new ResourceTemplate(templates.conversation, { list, complete: { id: complete } }),
    { title: "One conversation", description: "What was said, oldest first, page by page.", mimeType: JSON_TYPE },
    (uri, { id, cursor }, { mcpReq }) =>
      answer(uri, JSON_TYPE, () => readConversation(reach, one(id) ?? "", one(cursor), mcpReq.signal)),
  );
  server.registerResource(
    "search",
    new ResourceTemplate(templates.search, {
      list: undefined,
      complete: { role: (start) => ["user", "assistant"].filter((role) => role.startsWith(start)) },
    }),
    { title: "Search", description: "Past messages that match words, best first.", mimeType: JSON_TYPE },
    (uri, { query, role, from, to }, { mcpReq }) =>
      answer(uri, JSON_TYPE, () =>
        readSearch(reach, one(query) ?? "", { role: one(role), from: one(from), to: one(to) }, mcpReq.signal),
      ),
  );
}

/** A variable of a template, which here is never a list. */
const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

async function answer(uri: URL, mimeType: string, read: () => Promise<string>): Promise<ReadResourceResult> {
  return { contents: [{ uri: uri.href, mimeType, text: await guarded(uri.href, read) }] };
}

async function guarded<Found>(uri: string, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (problem) {
    throw asProtocolError(uri, asMemoryError(problem));
  }
}

/** Somebody else's is told as one that isn't there: a reader learns nothing of others. */
function asProtocolError(uri: string, { code, message, retryable }: MemoryError): ProtocolError {
  if (["NOT_FOUND", "CONVERSATION_OWNER_MISMATCH", "ERASED"].includes(code)) return new ResourceNotFoundError(uri);
  const isInput = code.startsWith("INVALID_");
  return new ProtocolError(
    isInput ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    isInput ? message : "The memory is not available right now.",
    { code, retryable },
  );
}
