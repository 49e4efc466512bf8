import type pg from "pg";

/**
 * Schemas that the cases of a suite have one after the other, each emptied in between: making one takes longer than most cases
 * do. What came of a case that changed its schema is dropped.
 */
export class ReusedSchemas {
  readonly #admin: pg.Pool;
  readonly #spare: string[] = [];
  readonly #held = new Map<string, string>();
  #relations = Number.POSITIVE_INFINITY;

  /** `admin`: connections of a superuser. */
  constructor(admin: pg.Pool) {
    this.#admin = admin;
  }

  /** The schema in the place of one of this name. */
  of(name: string): string {
    const schema = this.#held.get(name) ?? this.#spare.pop() ?? name;
    this.#held.set(name, schema);
    return schema;
  }

  /** Takes it back once nobody works with it. */
  async giveBack(name: string): Promise<void> {
    const schema = this.#held.get(name);
    this.#held.delete(name);
    if (schema === undefined) return;
    const { rows } = await this.#admin.query<{ relations: number; empty: string | null }>(
      `SELECT count(*)::integer AS relations, string_agg(format('DELETE FROM %I.%I', n.nspname, c.relname), '; ')
          FILTER (WHERE c.relkind = 'r' AND c.relname <> 'migration') AS empty
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1`,
      [schema],
    );
    const [{ relations, empty } = { relations: 0, empty: null }] = rows;
    // Nothing was ever done with it.
    if (empty === null) return;
    this.#relations = Math.min(this.#relations, relations);
    if (relations > this.#relations) return this.#drop(schema);
    await this.#admin.query(empty);
    this.#spare.push(schema);
  }

  /** Drops what nobody holds. */
  async dropAll(): Promise<void> {
    for (const schema of this.#spare.splice(0)) await this.#drop(schema);
  }

  async #drop(schema: string): Promise<void> {
    await this.#admin.query(`DROP SCHEMA "${schema}" CASCADE`);
  }
}
