import { createMemory, type Memory, MemoryError, type MemoryStore, memoryTools, type Outcome } from "@throughline/core";
import { sortKey } from "@throughline/core/store-kit";
import { fromUrl, postgresStore } from "@throughline/store-postgres";
import { sqliteStore } from "@throughline/store-sqlite";
import { describeMemoryStore, faultyStore } from "@throughline/testkit";

const stores: MemoryStore[] = [
  sqliteStore({ path: "memory.db" }),
  postgresStore({ connectionString: "postgresql://localhost/app" }),
  fromUrl("postgresql://localhost/app"),
  faultyStore(sqliteStore({ path: "memory.db" }), { failAt: 1 }),
];

export const memories: Memory[] = stores.map((store) => createMemory({ agent: "guide", store }));

export const key: Uint8Array = sortKey("guide");

export async function remember(memory: Memory): Promise<Outcome["status"]> {
  const conversation = memory.conversation({ id: "monday", subject: "ada" });
  console.log(memoryTools(conversation).map(({ name }) => name));
  // @ts-expect-error A key is text.
  await conversation.recall(1);
  try {
    return (await conversation.remember("dog", "Rex")).status;
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === "INVALID_ID") return "refused";
    throw error;
  }
}

describeMemoryStore("mine", { create: ({ directory }) => sqliteStore({ path: `${directory}/memory.db` }) });
