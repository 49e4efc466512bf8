import type { ConversationOwner } from "../contract/owner.ts";
import { contentHash } from "../text/hash.ts";

const FORM = /^art_([0-9a-z]{6})_([0-9a-z]{14})$/;

/** Stands for a conversation in the ids of its artifacts: tells whose an id is without a look at anybody's data. */
const tagOf = (owner: ConversationOwner): string =>
  contentHash(JSON.stringify([owner.tenant, owner.agent, owner.conversation])).slice(-6);

/** The id of a content of this conversation: the same content of the same source has the same one. */
export const artifactId = (owner: ConversationOwner, source: string): string =>
  `art_${tagOf(owner)}_${contentHash(source)}`;

/** True for a text that has the form of an artifact's id. */
export const isArtifactId = (id: string): boolean => FORM.test(id);

/** True where the id was made for this conversation. */
export const isArtifactOf = (owner: ConversationOwner, id: string): boolean => FORM.exec(id)?.[1] === tagOf(owner);
