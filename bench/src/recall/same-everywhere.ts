import { join } from "node:path";
import { inMemoryStore, type MemoryStore } from "@throughline/core";
import { migrate, postgresStore } from "@throughline/store-postgres";
import { sqliteStore } from "@throughline/store-sqlite";
import { startBenchServer } from "../lib/postgres-server.ts";
import type { Story } from "./question-set.ts";
import { openMemory, tellStories } from "./tell-stories.ts";

/** Whether SQLite, PostgreSQL and a store in memory answer every question with the same ten, in lines for the notes. */
export async function comparePlaces(folder: string, stories: readonly Story[]): Promise<string[]> {
  const server = await startBenchServer().catch(() => null);
  const places: { name: string; store: MemoryStore }[] = [
    { name: "in memory", store: inMemoryStore() },
    { name: "SQLite", store: sqliteStore({ path: join(folder, "same.db") }) },
  ];
  if (server !== null) {
    await migrate({ connectionString: server.url });
    places.push({ name: "PostgreSQL", store: postgresStore({ connectionString: server.url }) });
  }
  try {
    const answers: string[][] = [];
    for (const { store } of places) {
      await tellStories(store, stories);
      answers.push(await answersOf(store, stories));
    }
    const [first = []] = answers;
    const lines = places.slice(1).map(({ name }, index) => {
      const same = first.filter((answer, place) => answers[index + 1]?.[place] === answer).length;
      return `${name} answers ${same} of ${first.length} LoCoMo questions with the same ten as the store in memory.`;
    });
    return server === null ? [...lines, "PostgreSQL was not compared: there is no server."] : lines;
  } finally {
    for (const { store } of places) await store.close();
    await server?.stop();
  }
}

async function answersOf(store: MemoryStore, stories: readonly Story[]): Promise<string[]> {
  const memory = openMemory(store);
  const answers: string[] = [];
  for (const { id: subject, questions } of stories) {
    for (const { text } of questions) {
      const { hits } = await memory.search(text, { subject });
      answers.push(hits.map(({ message }) => message.id).join(" "));
    }
  }
  return answers;
}
