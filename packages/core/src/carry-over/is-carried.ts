import type { ConversationRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";
import { carriesOver } from "./segments.ts";

/** Whether exchanges of a conversation are carried over at all. */
export const isCarried = (
  engine: Engine,
  row: ConversationRow,
): row is ConversationRow & { subject: string; login: string } =>
  carriesOver(engine) && row.subject !== undefined && row.login !== undefined;
