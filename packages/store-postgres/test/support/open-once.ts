// Opens a store with its first call, at the moment that is given, and says what came of it.
import { postgresStore } from "@throughline/store-postgres";

const [connectionString = "", schema = "", moment = "0"] = process.argv.slice(2);
while (Date.now() < Number(moment));
const store = postgresStore({ connectionString, schema });
await store.readConversation({ tenant: "acme", agent: "helper", conversation: "c" });
await store.close();
process.stdout.write("opened");
