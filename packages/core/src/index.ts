// For adapter authors: what every adapter does alike.
export { asMemoryError } from "./adapter/as-memory-error.ts";
export { callMemoryTool, toolDefinitions } from "./adapter/call-memory-tool.ts";
export { conversationOf, type MemorySource, type Scope } from "./adapter/conversation-of.ts";
export { conversationRef, type NamedBy } from "./adapter/conversation-ref.ts";
export { createPromptFitter, type PromptFitter, type PromptGroup } from "./adapter/create-prompt-fitter.ts";
export { createReport, isLost, type Report } from "./adapter/create-report.ts";
export { createResultKeeper, type ResultKeeper } from "./adapter/create-result-keeper.ts";
export { createTurnRecorder, type TurnRecorder } from "./adapter/create-turn-recorder.ts";
export { fitPrompt } from "./adapter/fit-prompt.ts";
export { hideTurn } from "./adapter/hide-turn.ts";
export { type HostReader, HostRun, type OpenedRun } from "./adapter/host-run.ts";
export { imageType } from "./adapter/image-type.ts";
export { inMemoryOf } from "./adapter/in-memory-of.ts";
export { nativeForm } from "./adapter/native-form.ts";
export { isStop, waitingCalls } from "./adapter/run-end.ts";
export { toJson, unsupportedContent } from "./adapter/to-json.ts";
export { jsonOrText, toolResultEvents } from "./adapter/tool-events.ts";
export { toBase64 } from "./artifacts/base64.ts";
export type { ModelLimits } from "./budget/model-limits.ts";
export { applyEdits } from "./compaction/edits.ts";
export type {
  Artifact,
  ArtifactEdit,
  ArtifactInfo,
  ArtifactPage,
  ArtifactPatch,
  ArtifactPatchRefusal,
} from "./contract/artifact.ts";
export type { CheckpointInput, Checkpoints, PendingWritesInput } from "./contract/checkpoints.ts";
export type { Compaction, CompactionEdit } from "./contract/compaction.ts";
export type {
  BeginInput,
  CarryOver,
  Conversation,
  ConversationRef,
  Explanation,
  InjectedItem,
  OpenTurn,
  Reconciled,
  Scoped,
  SearchFilter,
  SearchHit,
  SearchResult,
  Subject,
  Summary,
  Transcript,
  TranscriptOptions,
  TurnInput,
} from "./contract/conversation.ts";
export type {
  CandidateCounts,
  ChangeOperation,
  MemoryEvent,
  MemoryEventType,
  ReadOperation,
} from "./contract/events.ts";
export type {
  Fact,
  FactAuthor,
  FactEvent,
  FactInput,
  FactScope,
  FactSource,
  FactType,
  ForgetFilter,
  ForgetReceipt,
  RecallQuery,
  RecallResult,
  RememberOptions,
} from "./contract/fact.ts";
export type { Json, JsonObject } from "./contract/json.ts";
export type {
  ConversationInfo,
  FactRef,
  FailedWork,
  Manifest,
  Memory,
  MemoryOptions,
  Operator,
  Records,
  ReindexReport,
  RetentionReport,
  SweepReport,
} from "./contract/memory.ts";
export type {
  CallOptions,
  ContextQuery,
  ContextRows,
  ConversationChange,
  ConversationQuery,
  EraseTarget,
  MemoryStore,
  StoreCapabilities,
  SummaryCommit,
  TurnChange,
  TurnCommit,
  TurnPlace,
  TurnQuery,
  TurnWrite,
  WindowQuery,
} from "./contract/memory-store.ts";
export type {
  ApprovalPart,
  CustomPart,
  FilePart,
  Message,
  MessageInput,
  NativeMessage,
  Part,
  ReasoningPart,
  Role,
  SourcePart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
  TurnError,
  TurnStatus,
} from "./contract/message.ts";
export type {
  AgentEvent,
  AgentRunner,
  Distiller,
  DistillerInput,
  DistillProblem,
  Embedder,
  FactCandidate,
  Retriever,
  Sink,
  Summarizer,
  SummarizerInput,
  TimelineEvent,
} from "./contract/models.ts";
export { ORIGINS, type Origin } from "./contract/origin.ts";
export type { Outcome, OutcomeStatus, Page, Receipt } from "./contract/outcome.ts";
export type { AgentOwner, ConversationOwner, FactOwner, SubjectOwner } from "./contract/owner.ts";
export type {
  CheckpointCommit,
  CheckpointHistory,
  CheckpointQuery,
  CheckpointRow,
  CheckpointStore,
  CheckpointThreadRow,
  CheckpointValueRow,
  CheckpointValueWrite,
  CheckpointWrite,
  ElementRange,
  PendingWriteRow,
  PendingWrites,
} from "./contract/store-checkpoints.ts";
export type { FactCommit, FactCommitResult, FactQuery } from "./contract/store-facts.ts";
export type { ItemCommit, ItemQuery, ItemRow } from "./contract/store-items.ts";
export type {
  FollowingDocument,
  FollowingQuery,
  KeywordDocument,
  KeywordGroup,
  KeywordIndex,
  KeywordScope,
  PostingQuery,
  Postings,
} from "./contract/store-keyword.ts";
export type { RecordCommit, RecordCommitResult, RecordQuery } from "./contract/store-records.ts";
export type {
  ConversationRow,
  FactSet,
  IdentityRow,
  IndexedDocument,
  MessageLocation,
  RecordRow,
  SummaryRow,
  TurnRow,
} from "./contract/store-rows.ts";
export type { HitQuery, HitRows, SearchQuery, SearchRows } from "./contract/store-search.ts";
export type {
  NearMessage,
  VectorDocument,
  VectorIndex,
  VectorModel,
  VectorQuery,
  VectorSelection,
} from "./contract/store-vectors.ts";
export type { Lease, WorkBegin, WorkClaim, WorkResult, WorkRows, WorkSettlement } from "./contract/store-work.ts";
export type {
  AuditedConversation,
  ExportedConversation,
  FactChange,
  ImportReport,
  QuarantinedFact,
  SubjectAudit,
  SubjectExport,
} from "./contract/subject-export.ts";
export type { MemorySpan, MemoryTracer, SpanAttributes } from "./contract/tracer.ts";
export { messageText } from "./conversation/message-text.ts";
export { type SanitizeOptions, sanitizeTranscript } from "./conversation/sanitize.ts";
export { CODES, type CodeEntry, type MemoryErrorCode } from "./errors/codes.ts";
export { MemoryError, type MemoryErrorOptions } from "./errors/memory-error.ts";
export { type Distillate, toDistillate } from "./extract/distillate.ts";
export type { DistillerPrompt } from "./extract/distiller-prompt.ts";
export { type AskDistiller, type DistillerAnswer, modelDistiller } from "./extract/model-distiller.ts";
export { type PatternDistillerOptions, patternDistiller } from "./extract/patterns/pattern-distiller.ts";
export type { StatementPattern } from "./extract/patterns/statement-pattern.ts";
export { createMemory } from "./memory/create-memory.ts";
export { exportLines } from "./memory/export-lines.ts";
export { type AnthropicDistillerOptions, anthropicDistiller } from "./models/anthropic-distiller.ts";
export { type AnthropicSummarizerOptions, anthropicSummarizer } from "./models/anthropic-summarizer.ts";
export type { AskModel, ModelText, Prompt } from "./models/ask-model.ts";
export { type ExtractiveSummarizerOptions, extractiveSummarizer } from "./models/extractive-summarizer.ts";
export { type FailureCode, type FailureDetails, type FailureReason, modelFailure } from "./models/model-failure.ts";
export { modelSummarizer } from "./models/model-summarizer.ts";
export { type OpenAIDistillerOptions, openaiDistiller } from "./models/openai-distiller.ts";
export { type OpenAIEmbedderOptions, openaiEmbedder } from "./models/openai-embedder.ts";
export { type OpenAISummarizerOptions, openaiSummarizer } from "./models/openai-summarizer.ts";
export type { CompactionStrategy, PolicyDegradation, ResolvedPolicy } from "./policy/policy.ts";
export { type MemoryPolicyInput, memoryPolicySchema } from "./policy/policy-schema.ts";
export { type PolicyPreset, policyPresets } from "./policy/presets.ts";
export { inMemoryStore } from "./stores/in-memory-store.ts";
export { memoryGuidelines } from "./tools/memory-guidelines.ts";
export {
  type MemoryTool,
  type MemoryToolAnswer,
  type MemoryToolCall,
  type MemoryToolSelection,
  memoryTools,
} from "./tools/memory-tools.ts";
export type { MemoryToolName } from "./tools/tool-names.ts";
