export type { SqliteConnection, SqliteDriver, SqliteStatement, SqlValue } from "./driver.ts";
export { fromUrl } from "./from-url.ts";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.ts";
