import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, codeOf, DAY_MS, user } from "../talk.ts";

const LINES = Array.from({ length: 4_000 }, (_, line) => `line ${line + 1} of the log`).join("\n");
const idIn = (value: unknown): string => /art_\w+/.exec(JSON.stringify(value))?.[0] ?? "";

/** Large tool results outside the prompt. */
export const artifactsSuite: MemorySuite = {
  name: "artifacts",
  cases: [
    {
      rules: ["W9"],
      title: "a large result is kept as pages that make the whole, and a patch changes a part of it",
      async run({ memory }) {
        const chat = memory().conversation({ id: "c" });
        const turn = await chat.begin({ messages: [user("read the log")] });
        const shown = await turn.offload({ type: "tool-result", callId: "k", tool: "read", output: LINES });
        expect(JSON.stringify(shown).length).toBeLessThan(LINES.length / 2);
        await turn.complete([
          { role: "assistant", parts: [{ type: "tool-call", callId: "k", tool: "read", input: {} }] },
          { role: "tool", parts: [shown] },
          assistant("read"),
        ]);
        const artifact = memory().conversation({ id: "c" }).artifact(idIn(shown));
        const whole = async () => {
          const { pages } = await artifact.info();
          let text = "";
          for (let page = 1; page <= pages; page++) text += (await artifact.page(page)).text;
          return text;
        };
        expect(await whole()).toBe(LINES);
        const patched = await artifact.patch([{ find: "line 3999 of the log", replace: "changed" }]);
        expect(patched).toMatchObject({ status: "patched", version: 2 });
        expect(await whole()).toBe(LINES.replace("line 3999 of the log", "changed"));
        expect(await artifact.patch([{ find: "nowhere", replace: "" }])).toMatchObject({ refusal: "text-not-found" });
        expect(await codeOf(() => memory().conversation({ id: "d" }).artifact(idIn(shown)).info())).toBe("NOT_FOUND");
      },
    },
    {
      rules: ["W9"],
      title: "of two patches of one version at once each is applied once, or refused",
      async run({ memory }) {
        const turn = await memory()
          .conversation({ id: "c" })
          .begin({ messages: [user("read")] });
        const shown = await turn.offload({ type: "tool-result", callId: "k", tool: "read", output: LINES });
        const handles = [memory(), memory()].map((made) => made.conversation({ id: "c" }).artifact(idIn(shown)));
        const results = await Promise.all(
          handles.map((handle, index) => handle.patch([{ find: `line ${index + 1}00 of`, replace: "patched" }])),
        );
        const applied = results.filter((result) => result.status === "patched").length;
        const text = new TextDecoder().decode(await handles[0]?.bytes());
        expect(text.split("patched")).toHaveLength(applied + 1);
        expect(applied).toBeGreaterThanOrEqual(1);
        expect((await handles[0]?.info())?.version).toBe(applied + 1);
      },
    },
    {
      rules: ["A4", "W9"],
      title: "artifacts go when their time is over, or with a word",
      async run({ memory, tick }) {
        const made = memory({ policy: { enabled: true, retention: { artifacts: "10d" } } });
        const chat = made.conversation({ id: "c" });
        const keep = async (name: string) => {
          const turn = await chat.begin({ messages: [user(name)] });
          const shown = await turn.offload({ type: "tool-result", callId: name, tool: "read", output: name + LINES });
          await turn.complete([assistant(name)]);
          return chat.artifact(idIn(shown));
        };
        const old = await keep("old");
        const dropped = await keep("dropped");
        expect([await dropped.delete(), await dropped.delete()]).toEqual([true, false]);
        tick(20 * DAY_MS);
        const young = await keep("young");
        expect(await made.operator.sweepRetention()).toMatchObject({ artifacts: 1 });
        expect(await codeOf(() => old.info())).toBe("NOT_FOUND");
        expect((await young.info()).pages).toBeGreaterThan(1);
      },
    },
  ],
};
