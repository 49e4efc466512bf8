import { MessageList } from "@mastra/core/agent/message-list";
import { createMemory, inMemoryStore, type Message } from "@throughline/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromRows, toRows } from "../src/index.ts";
import { anyRows } from "./support/any-row.ts";

/** As JSON holds it. */
const plain = (rows: unknown) => JSON.parse(JSON.stringify(rows));

const owner = { threadId: "t", resourceId: "r" };

describe("B4: rows become messages and rows again", () => {
  test("B4: without loss", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        expect(plain(toRows(fromRows(rows), { ...owner, exact: true }))).toEqual(plain(rows));
      }),
      { numRuns: 500 },
    );
  });

  test("without loss through a store, whose turns are recorded message by message", async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const memory = createMemory({ agent: "a", store: inMemoryStore(), env: {}, onEvent: () => {} });
        const conversation = memory.conversation({ id: "t", subject: "r" });
        await conversation.record({ id: "turn", messages: fromRows(rows) });
        const { turns } = await conversation.transcript();
        const stored = turns.flatMap(({ messages }): Message[] => messages);
        expect(plain(toRows(stored, { ...owner, exact: true }))).toEqual(plain(rows));
      }),
      { numRuns: 100 },
    );
  });

  test("the same row gives the same ids, and a row that goes on keeps those it had", () => {
    fc.assert(
      fc.property(anyRows, fc.nat(6), (rows, cut) => {
        const ids = fromRows(rows).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const shorter = rows.map((row) => ({
          ...row,
          content: { ...row.content, parts: row.content.parts.slice(0, cut) },
        }));
        const isMark = ({ parts = [] }: { parts?: readonly object[] }) =>
          parts.some((part) => "kind" in part && part.kind === "mastra.step-start");
        // A mark at the end stands for itself until something follows it.
        const before = fromRows(shorter).filter((message) => !isMark(message as { parts?: readonly object[] }));
        const known = new Set(ids);
        expect(before.filter(({ id }) => !known.has(id))).toEqual([]);
      }),
    );
  });

  test("B4: a file that a person hands over is one part, and a copy beside the parts again for Mastra", () => {
    const list = new MessageList(owner);
    const file = { type: "file" as const, data: new Uint8Array([1, 2, 3]), mediaType: "image/png", filename: "a.png" };
    list.add({ role: "user", content: [{ type: "text", text: "Look." }, file] }, "input");
    const rows = list.get.all.db();
    expect(rows[0]?.content.experimental_attachments).toHaveLength(1);
    const messages = fromRows(rows);
    const files = messages.flatMap(({ parts = [] }) => parts.filter(({ type }) => type === "file"));
    expect(files).toMatchObject([{ mediaType: "image/png", data: "AQID" }]);
    expect(plain(toRows(messages, { ...owner, exact: true }))).toEqual(plain(rows));
  });

  test("what is erased from the parts is gone from the host's second copy", () => {
    const row = {
      id: "x",
      role: "assistant" as const,
      createdAt: new Date(0),
      content: {
        format: 2 as const,
        parts: [
          { type: "text" as const, text: "My secret." },
          { type: "step-start" as const },
          { type: "text" as const, text: "Bye." },
        ],
        content: "My secret.\nBye.",
      },
    };
    const [, second] = fromRows([row]);
    const [first] = fromRows([row]);
    expect(JSON.stringify(first?.native)).not.toContain("secret");
    expect(toRows([second ?? { role: "user" }])[0]?.content.parts).toHaveLength(2);
  });
});

describe("W14: a prompt made from stored rows", () => {
  test("W14: has no call without a result, no result without a call, in Mastra's own conversion", async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, async (rows) => {
        const memory = createMemory({ agent: "a", store: inMemoryStore(), env: {}, onEvent: () => {} });
        const conversation = memory.conversation({ id: "t", subject: "r" });
        await conversation.record({ messages: fromRows(rows) });
        const list = new MessageList({ threadId: "t", resourceId: "r" });
        list.add(toRows(await conversation.history(), owner), "memory");
        list.add("And now?", "input");
        const open = new Set<string>();
        for (const message of list.get.all.aiV5.prompt()) {
          if (typeof message.content === "string") continue;
          for (const part of message.content) {
            if (part.type === "tool-call" && !part.providerExecuted) open.add(part.toolCallId);
            if (part.type === "tool-result" && message.role === "tool") expect(open.delete(part.toolCallId)).toBe(true);
          }
        }
        expect([...open]).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
