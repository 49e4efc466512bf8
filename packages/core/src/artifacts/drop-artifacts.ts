import type { ArtifactInfo } from "../contract/artifact.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { Engine } from "../memory/engine.ts";
import { createArtifact } from "./create-artifact.ts";
import { listArtifacts } from "./list-artifacts.ts";

const PAGE = 100;

/** Deletes the artifacts of a conversation that `isGone` names. Answers how many went, or with `dryRun` would go. */
export async function dropArtifacts(
  engine: Engine,
  owner: ConversationOwner,
  isGone: (artifact: ArtifactInfo) => boolean,
  options: { dryRun?: boolean } = {},
): Promise<number> {
  let dropped = 0;
  for (let after: string | undefined; ; ) {
    const page = await listArtifacts(engine, owner, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const info of page) {
      if (!isGone(info)) continue;
      if (options.dryRun || (await createArtifact(engine, owner, info.id).delete())) dropped++;
    }
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return dropped;
    after = last.id;
  }
}
