import { inject } from "vitest";

/** The server of the run, as a superuser; `null` where there is none. */
export const serverUrl: string | null = inject("postgresUrl");
