export type { PostgresClient, PostgresQuery, PostgresRow } from "./client.ts";
export { type DropTenantOptions, dropTenant } from "./drop-tenant.ts";
export { fromUrl } from "./from-url.ts";
export { type MigrateOptions, migrate } from "./migrate-database.ts";
export type { PartitionOptions } from "./partitions.ts";
export type { PostgresPool } from "./pg-client.ts";
export { type PostgresConnection, type PostgresStoreOptions, postgresStore } from "./postgres-store.ts";
export { type Vacuumed, type VacuumOptions, vacuum } from "./vacuum.ts";
