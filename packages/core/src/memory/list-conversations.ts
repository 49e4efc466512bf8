import { checkOptionalId } from "../checks/ids.ts";
import type { ConversationInfo } from "../contract/memory.ts";
import type { Page } from "../contract/outcome.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "./call-options.ts";
import { canonicalSubject } from "./canonical-subject.ts";
import { conversationInfo } from "./conversation-info.ts";
import type { Engine } from "./engine.ts";
import { reporting } from "./reporting.ts";

const PAGE = 50;
const MAX_PAGE = 500;

/** Conversations, most recently active first. */
export async function listConversations(
  engine: Engine,
  filter: { subject?: string; limit?: number; cursor?: string; signal?: AbortSignal } = {},
): Promise<Page<ConversationInfo>> {
  checkOptionalId(filter.subject, "subject id");
  const limit = Math.min(MAX_PAGE, filter.limit ?? PAGE);
  const store = await engine.store();
  const subject = await canonicalSubject(engine, filter.subject);
  const rows = await store.listConversations(
    engine.owner,
    {
      limit: limit + 1,
      ...(subject === undefined ? {} : { subject }),
      ...(filter.cursor === undefined ? {} : { after: readCursor(filter.cursor) }),
    },
    callOf(filter.signal),
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(conversationInfo),
    ...(rows.length > limit && last ? { cursor: JSON.stringify([last.updatedAt, last.id]) } : {}),
  };
}

/** {@link listConversations}, reported as an operation of its own. */
export const listReported = (
  engine: Engine,
  filter?: Parameters<typeof listConversations>[1],
): Promise<Page<ConversationInfo>> =>
  reporting(engine, listConversations(engine, filter), ({ items }) => ({
    type: "memory.read",
    operation: "conversations",
    items: items.length,
  }));

function readCursor(cursor: string): { updatedAt: string; id: string } {
  try {
    const value: unknown = JSON.parse(cursor);
    if (Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string") {
      return { updatedAt: value[0], id: value[1] };
    }
  } catch {
    // Falls through to the one error below.
  }
  throw new MemoryError("INVALID_CURSOR", "The cursor was not made by conversations().");
}
