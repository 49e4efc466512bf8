import type { TestProject } from "vitest/node";
import { startTestServer } from "./test-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the tests find PostgreSQL, as a superuser; `null` where there is none. */
    postgresUrl: string | null;
  }
}

/** Brings a server for the whole run, or takes the one that `TEST_POSTGRES_URL` names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES_URL;
  const server = given === undefined ? await startTestServer() : null;
  const url = given ?? server?.url ?? null;
  if (url === null) {
    const problem = "There is no PostgreSQL to test with: no binaries for this platform, and no TEST_POSTGRES_URL.";
    if (process.env.CI !== undefined) throw new Error(problem);
    process.stderr.write(`${problem} The tests that need one are skipped.\n`);
  }
  project.provide("postgresUrl", url);
  return async () => server?.stop();
}
