import { adapter, core, type Requirement } from "./requirement.ts";

/** Guarantees beyond storing and recalling, and what the adapters promise. */
export const GUARANTEE_RULES = {
  G1: core("Everything carries its origin; what is derived takes the lowest, and only people instruct."),
  G2: core("What memory injected is never extracted or found as if it had been said."),
  G3: core("A forgotten value stays out, whoever brings it, until the person lifts it."),
  G4: core("Erasing can follow what was derived, and its receipt says what went and what didn't."),
  G5: core("Facts and summaries can be read as of a moment, with what made the agent believe them."),
  G6: core("An extracted fact quotes its turn; without a match it is quarantined."),
  G7: core("Every write has a typed outcome, and failed work can be listed and redriven."),
  G8: core("Recall leaves out what isn't relevant enough and says why it is empty."),
  G9: core("The prompt's stable part comes first and changes only with what is stored."),
  G10: core("A scope can only come from the app, never from a string or a tool argument."),
  G11: core("One token budget is split by stated shares and can be explained item by item."),
  G12: core("A weaker claim never replaces a stronger one; contradictions are shown as disputed."),
  G13: core("Every change by an agent or distiller can be listed and undone."),
  G14: core("Core and adapters run on any web-standard runtime."),
  G15: core("Everything but summaries and extraction works without a model."),

  B1: adapter("Identity comes from option, run context or host id, in that order, never invented."),
  B2: adapter("One run is one turn, in every way that a run can go."),
  B3: adapter("Neither recording nor recall ever fails a run."),
  B4: adapter("Messages convert both ways without loss, or say what they can't carry."),
  B5: adapter("Memory's text stays in the system part and is not kept by the host."),
  B6: adapter("Host and core are peers, tested at both ends of their ranges."),
  B7: adapter("The parity story leaves the same records through all four frameworks."),
  B8: adapter("Each adapter is tested with its host's scripted model and over HTTP."),
  B9: adapter("A history that the host holds too is reconciled, never doubled."),

  L1: adapter("The LangGraph checkpointer passes the whole validation suite."),
  L2: adapter("A thread's storage grows linearly, and its newest checkpoint stays quick to read."),
  L3: adapter("Checkpoint values are serialised without loss; only known types are revived."),
  L4: adapter("Checkpoint writes keep their order, and late ones resurrect nothing."),
  L5: adapter("Threads can be copied, pruned, listed and deleted."),
  L6: adapter("The LangGraph store keeps records as given, under exact namespaces."),
  L7: adapter("Middleware, tools and nodes bring memory to LangGraph agents and graphs."),
  L8: adapter("Deleting a conversation or subject deletes its checkpoints."),

  V1: adapter("`withMemory` gives AI SDK calls history, memory and one recorded turn."),
  V2: adapter("The model middleware recalls once a turn and records one turn per tool loop."),
  V3: adapter("UI routes keep ids, survive disconnects, regenerate and resume."),
  V4: adapter("AI SDK tools come as a closure or through the tools' context."),
  V5: adapter("Any AI SDK model can be an embedder, summarizer or distiller."),

  OA1: adapter("The OpenAI Agents session serves windows without orphans and writes history back."),
  OA2: adapter("Memory reaches the instructions only, once per run."),
  OA3: adapter("OpenAI Agents tools take identity from the run context."),
  OA4: adapter("A run that was stopped is recorded with what had happened."),
  OA5: adapter("Handoffs, nested agents and approvals leave one right turn."),

  R1: adapter("Mastra processors inject memory and record exactly the new messages."),
  R2: adapter("Mastra's own memory class works on this memory without other storage."),
  R3: adapter("Workflow steps load and save once, also after a suspend."),
  R4: adapter("Mastra tools come from the one tool definition."),

  MCP1: adapter("The MCP server's identity is fixed by the session, never by arguments."),
} as const satisfies Record<string, Requirement>;
