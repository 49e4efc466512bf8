// Opens a store with its first call, at the moment that is given, and says what came of it.
import { sqliteStore } from "@throughline/store-sqlite";

const [path = "", moment = "0"] = process.argv.slice(2);
while (Date.now() < Number(moment));
const store = sqliteStore({ path });
await store.readConversation({ tenant: "acme", agent: "helper", conversation: "c" });
await store.close();
process.stdout.write("opened");
