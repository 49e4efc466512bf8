import type pg from "pg";

/**
 * Has nobody of a peer's pool bring the process down: as the server ends, an idle connection hears of it, and so does one that
 * the peer borrowed for work of its own and doesn't listen to.
 */
export function quietPool(pool: pg.Pool): void {
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
}
