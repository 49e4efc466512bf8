import { later } from "./later.ts";

/** Searches what was said; few turns do. */
export const searchMessages = later(async () => (await import("../search/search-messages.ts")).searchMessages);
