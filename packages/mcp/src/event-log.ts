import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** What one session's log may hold; the oldest go first. */
const MAX_EVENTS = 256;
const MAX_CHARS = 262_144;

/** The newest messages of one session, for a client that lost its stream and asks for what came after. */
export function createEventLog(): EventStore {
  let events: { id: string; stream: string; message: JSONRPCMessage; chars: number }[] = [];
  let chars = 0;
  let count = 0;
  return {
    async storeEvent(stream, message) {
      count += 1;
      const event = { id: String(count), stream, message, chars: JSON.stringify(message).length };
      events.push(event);
      chars += event.chars;
      while (events.length > MAX_EVENTS || (chars > MAX_CHARS && events.length > 1)) {
        chars -= events[0]?.chars ?? 0;
        events = events.slice(1);
      }
      return event.id;
    },
    async getStreamIdForEventId(id) {
      return events.find((event) => event.id === id)?.stream;
    },
    async replayEventsAfter(id, { send }) {
      const start = events.findIndex((event) => event.id === id);
      const stream = events[start]?.stream ?? "";
      for (const event of start < 0 ? [] : events.slice(start + 1)) {
        if (event.stream === stream) await send(event.id, event.message);
      }
      return stream;
    },
  };
}
