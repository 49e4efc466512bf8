import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import {
  allSaid,
  assistant,
  call,
  reasoning,
  result,
  type SessionCase,
  type SessionItem,
  said,
  user,
} from "./session-case.ts";

const rules = ["OA1"] as const;
const exchange = (count: number): SessionItem[] => [user(`question ${count}`), assistant(`answer ${count}`)];
const toolTurn = (count: number): SessionItem[] => [
  user(`question ${count}`),
  reasoning(`thought ${count}`),
  call(`a${count}`),
  call(`b${count}`),
  result(`a${count}`),
  result(`b${count}`),
  assistant(`answer ${count}`),
];

/** What a provider would refuse of these items. */
function refused(items: readonly SessionItem[]): string[] {
  const open = new Set<unknown>();
  const wrong: string[] = [];
  for (const [index, item] of items.entries()) {
    if (item.type === "function_call") open.add(item.callId);
    if (item.type === "function_call_result" && !open.delete(item.callId)) wrong.push(said(item));
    const next = items[index + 1];
    const leads = next?.type === "function_call" || next?.role === "assistant" || next?.type === "reasoning";
    if (item.type === "reasoning" && !leads) wrong.push("reasoning");
  }
  return [...wrong, ...[...open].map((callId) => `call ${String(callId)}`)];
}

/** What every session does. */
export const SESSION_CASES: readonly SessionCase[] = [
  {
    rules,
    title: "is empty at first, and has an id that stays",
    async run({ session }) {
      const one = session();
      deepEqual(await one.getItems(), []);
      equal(await one.popItem(), undefined);
      const id = await one.getSessionId();
      ok(id.length > 0);
      await one.addItems(exchange(1));
      equal(await one.getSessionId(), id);
    },
  },
  {
    rules,
    title: "gives back what it was handed, in order",
    async run({ session }) {
      const one = session();
      await one.addItems(exchange(1));
      await one.addItems([]);
      await one.addItems(toolTurn(2));
      deepEqual(allSaid(await one.getItems()), allSaid([...exchange(1), ...toolTurn(2)]));
    },
  },
  {
    rules,
    title: "keeps what is said twice twice",
    async run({ session }) {
      const one = session();
      await one.addItems(exchange(1));
      await one.addItems(exchange(1));
      deepEqual(allSaid(await one.getItems()), allSaid([...exchange(1), ...exchange(1)]));
    },
  },
  {
    rules,
    title: "takes one turn in several pieces",
    async run({ session }) {
      const one = session();
      const items = toolTurn(1);
      await one.addItems(items.slice(0, 4));
      await one.addItems(items.slice(4));
      await one.addItems(exchange(2));
      deepEqual(allSaid(await one.getItems()), allSaid([...items, ...exchange(2)]));
    },
  },
  {
    rules,
    title: "gives the newest items, never more than asked for",
    async run({ session }) {
      const one = session();
      await one.addItems([...exchange(1), ...exchange(2), ...exchange(3)]);
      const all = allSaid(await one.getItems());
      for (const limit of [0, 1, 2, 3, 4, 5, 6, 100]) {
        const some = allSaid(await one.getItems(limit));
        ok(some.length <= limit, `${some.length} items for a limit of ${limit}`);
        deepEqual(some, all.slice(all.length - some.length));
      }
      deepEqual(allSaid(await one.getItems(4)), all.slice(-4));
      deepEqual(allSaid(await one.getItems(1)), all.slice(-1));
    },
  },
  {
    rules,
    title: "cuts where a person speaks, wherever the limit falls",
    async run({ session }) {
      const one = session();
      await one.addItems([...toolTurn(1), ...toolTurn(2)]);
      for (let limit = 8; limit <= 13; limit++) {
        const [first] = await one.getItems(limit);
        equal(first?.role, "user", `with a limit of ${limit}`);
      }
    },
  },
  {
    rules,
    title: "shows nothing that a provider refuses, wherever the limit falls",
    async run({ session }) {
      const one = session();
      await one.addItems([...toolTurn(1), ...toolTurn(2)]);
      for (let limit = 0; limit <= 15; limit++) {
        deepEqual(refused(await one.getItems(limit)), [], `with a limit of ${limit}`);
      }
    },
  },
  {
    rules,
    title: "shows no call that was left without a result once the person speaks again",
    async run({ session }) {
      const one = session();
      await one.addItems([user("question 1"), reasoning("thought"), call("open")]);
      await one.addItems(exchange(2));
      const items = await one.getItems();
      deepEqual(refused(items), []);
      deepEqual(allSaid(items), allSaid([user("question 1"), ...exchange(2)]));
    },
  },
  {
    rules,
    title: "hands out copies, and keeps copies",
    async run({ session }) {
      const one = session();
      const given = exchange(1);
      await one.addItems(given);
      (given[0] as { content: string }).content = "changed by whom it came from";
      const [first] = await one.getItems();
      (first as { content: string }).content = "changed by whom it went to";
      deepEqual(allSaid(await one.getItems()), allSaid(exchange(1)));
    },
  },
  {
    rules,
    title: "takes the newest item away and gives it",
    async run({ session }) {
      const one = session();
      await one.addItems([...exchange(1), ...exchange(2)]);
      const popped = await one.popItem();
      equal(popped && said(popped), "assistant answer 2");
      deepEqual(allSaid(await one.getItems()), allSaid([...exchange(1), user("question 2")]));
      const second = await one.popItem();
      equal(second && said(second), "user question 2");
      deepEqual(allSaid(await one.getItems()), allSaid(exchange(1)));
      await one.addItems([assistant("more")]);
      await one.popItem();
      await one.popItem();
      await one.popItem();
      deepEqual(await one.getItems(), []);
    },
  },
  {
    rules,
    title: "is empty once it is cleared, and goes on from there",
    async run({ session }) {
      const one = session();
      await one.addItems(toolTurn(1));
      await one.clearSession();
      deepEqual(await one.getItems(), []);
      await one.addItems(exchange(2));
      deepEqual(allSaid(await one.getItems()), allSaid(exchange(2)));
    },
  },
  {
    rules,
    title: "keeps the histories of different sessions apart",
    async run({ session }) {
      await session("one").addItems(exchange(1));
      await session("two").addItems(exchange(2));
      deepEqual(allSaid(await session("one").getItems()), allSaid(exchange(1)));
      await session("one").clearSession();
      deepEqual(allSaid(await session("two").getItems()), allSaid(exchange(2)));
    },
  },
  {
    rules,
    title: "loses nothing of what several runs hand over at once",
    async run({ session }) {
      const one = session();
      await Promise.all([1, 2, 3, 4].map((count) => one.addItems(exchange(count))));
      const all = allSaid(await one.getItems());
      equal(all.length, 8);
      for (const count of [1, 2, 3, 4]) {
        const at = all.indexOf(`user question ${count}`);
        equal(all[at + 1], `assistant answer ${count}`);
      }
    },
  },
  {
    rules,
    title: "has what was kept when it is opened anew",
    needsReopen: true,
    async run({ session, reopen }) {
      await session("one").addItems(toolTurn(1));
      deepEqual(allSaid((await reopen?.("one").getItems()) ?? []), allSaid(toolTurn(1)));
    },
  },
  {
    rules,
    title: "applies a transaction once, and refuses another one of the same id",
    async run({ session }) {
      const one = session();
      ok(one.applyHistoryTransaction, "it applies no transactions");
      const first = { operationId: "op-1", transaction: { type: "append_items" as const, items: exchange(1) } };
      await one.applyHistoryTransaction(first);
      await one.applyHistoryTransaction(first);
      deepEqual(allSaid(await one.getItems()), allSaid(exchange(1)));
      const other = { ...first, transaction: { ...first.transaction, items: exchange(2) } };
      await rejects(async () => one.applyHistoryTransaction?.(other));
      deepEqual(allSaid(await one.getItems()), allSaid(exchange(1)));
    },
  },
  {
    rules,
    title: "replaces the end of its history where it is what was expected, and changes nothing where it isn't",
    async run({ session }) {
      const one = session();
      ok(one.applyHistoryTransaction, "it applies no transactions");
      await one.addItems([...exchange(1), user("question 2"), call("c"), result("c", "secret"), assistant("answer 2")]);
      const replacement = [result("c", "withheld")];
      const wrong = { type: "replace_suffix" as const, expectedSuffix: [assistant("another")], replacement };
      await rejects(async () => one.applyHistoryTransaction?.({ operationId: "op-1", transaction: wrong }));
      const expectedSuffix = [result("c", "secret"), assistant("answer 2")];
      const right = { operationId: "op-2", transaction: { ...wrong, expectedSuffix } };
      await one.applyHistoryTransaction(right);
      await one.applyHistoryTransaction(right);
      const expected = [...exchange(1), user("question 2"), call("c"), ...replacement];
      deepEqual(allSaid(await one.getItems()), allSaid(expected));
    },
  },
];
