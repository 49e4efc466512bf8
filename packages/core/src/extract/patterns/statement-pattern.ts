import type { FactType } from "../../contract/fact.ts";

/**
 * How people of one language state something outright. The expression is tried on a whole clause; its groups are `value`
 * and, where the clause names what it is about, `key`.
 */
export interface StatementPattern {
  /** A language tag, for reading. */
  language: string;
  /** Tried on a whole clause; its groups are `value` and, where the clause says it, `key`. */
  expression: RegExp;
  /** The key under which the value is kept. @default the group `key` */
  key?: string;
  /** The topic under which several values are kept, where there is no key. */
  topic?: string;
  /** @default "fact" */
  type?: FactType;
  /**
   * `name`: the value is somebody's or something's name, so it is short and, where the script has capitals, begins with
   * one. `place`: a few words, the first of which begins with a capital likewise. `short`: a few words. `any`: the rest of the clause. @default "short"
   */
  value?: "name" | "place" | "short" | "any";
  /** 0 to 1. @default 0.85 */
  confidence?: number;
}
