// Used by apps of both kinds, so that both do the same.
const assert = require("node:assert/strict");

/** Two lives of an app on one store: it writes, closes, opens again and finds what it wrote. */
exports.useMemory = async function useMemory({ createMemory, MemoryError }, options) {
  const chat = { id: "monday", subject: "ada" };
  const first = createMemory({ agent: "guide", ...options() });
  const conversation = first.conversation(chat);
  const turn = await conversation.begin({ messages: [{ role: "user", content: "My dog is called Rex." }] });
  await conversation.remember("dog", "Rex", { quote: "My dog is called Rex" });
  assert.equal((await turn.complete([{ role: "assistant", content: "A good name!" }])).status, "stored");
  const recorded = await conversation.record({
    messages: [
      { role: "user", content: "He likes the beach." },
      { role: "assistant", content: "Noted." },
    ],
  });
  assert.equal(recorded.status, "stored");
  assert.throws(
    () => first.conversation({ id: "" }),
    (error) => MemoryError.isInstance(error) && error.code === "INVALID_ID",
  );
  await first.close();

  const second = createMemory({ agent: "guide", ...options() });
  const reopened = second.conversation(chat);
  assert.equal(await reopened.recall("dog"), "Rex");
  assert.match(await second.conversation({ id: "tuesday", subject: "ada" }).systemContext(), /Rex/);
  assert.equal((await reopened.transcript()).turns.length, 2);
  const { hits } = await second.search("beach", { subject: "ada" });
  assert.equal(hits[0]?.message.parts[0]?.text, "He likes the beach.");
  assert.equal((await second.search("beach", { subject: "bob" })).hits.length, 0);
  await second.close();
};
