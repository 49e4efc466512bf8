import type { ArtifactInfo } from "../contract/artifact.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { publicInfo } from "./artifact-rows.ts";
import { readArtifacts } from "./artifact-store.ts";

/** What artifacts a conversation has, by id; for audit, export and retention. Their pages are not read. */
export async function listArtifacts(
  engine: Engine,
  owner: ConversationOwner,
  options: CallOptions & { after?: string; limit?: number } = {},
): Promise<ArtifactInfo[]> {
  const { after, limit = 100, signal } = options;
  const store = await engine.store();
  const rows = await readArtifacts(store, owner, { after, limit }, callOf(signal));
  return rows.map(publicInfo);
}
