// Opens a store, and asks for its secret, at a path where neither can be; prints both errors.
import { MemoryError } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

const [path = ""] = process.argv.slice(2);
const store = sqliteStore({ path });
const answers: unknown[] = [];
for (const call of [() => store.readConversation({ tenant: "acme", agent: "a", conversation: "c" }), store.secret]) {
  try {
    answers.push(await call?.());
  } catch (error) {
    answers.push(MemoryError.isInstance(error) ? { code: error.code, details: error.details } : String(error));
  }
}
process.stdout.write(JSON.stringify(answers));
