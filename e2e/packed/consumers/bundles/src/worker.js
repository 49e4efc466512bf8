import { talk } from "./talk.js";

/** A worker as a platform runs it: nothing of Node, work after the answer by `waitUntil`. */
const worker = {
  async fetch(_request, _env, context) {
    return Response.json(await talk(undefined, (work) => context.waitUntil(work)));
  },
  /** What `workerd test` calls. */
  async test(_controller, env, context) {
    const answer = await worker.fetch(new Request("http://worker/"), env, context);
    const text = await answer.text();
    console.log(text);
    const expected = '{"text":"Rex.","isTold":true,"hits":1,"said":4}';
    if (text !== expected) throw new Error(`The worker answered ${text}`);
  },
};

export default worker;
