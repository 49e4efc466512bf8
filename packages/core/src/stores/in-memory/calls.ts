// All that the in-memory store does: loaded with its first call, since most apps have a store of their own.
export {
  copyThread,
  listCheckpoints,
  listThreads,
  putCheckpoint,
  putWrites,
  readCheckpoint,
  readHistory,
  removeCheckpoints,
} from "./checkpoints.ts";
export { changeConversation, listConversations, readContext, readConversation } from "./conversations.ts";
export { erase } from "./erase.ts";
export { commitFacts, readFacts, readTombstones } from "./facts.ts";
export { linkIdentity, listIdentities, resolveSubject, unlinkIdentity } from "./identities.ts";
export { commitItems, readItems } from "./items.ts";
export { purgeExpired } from "./purge.ts";
export { commitRecords, listNamespaces, readRecords } from "./records.ts";
export { State } from "./state.ts";
export { commitSummary, readSummaries } from "./summaries.ts";
export { changeTurns, commitTurn, findMessages, findTurns, readTurns } from "./turns.ts";
export { dropVectors, nearest, putVectors } from "./vectors.ts";
export { claimLease, claimWork, releaseLease, reopenWork, settleWork } from "./work.ts";
