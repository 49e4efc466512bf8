import { readFileSync } from "node:fs";
import { Runner, RunState } from "@openai/agents";
import { runWithMemory } from "@throughline/openai-agents";
import { type Desk, frontDesk, openMemory } from "./desk.ts";
import { offlineModels } from "./offline-models.ts";

/*
 * Another process: it has the file of the memory and the text of a run that waits, says yes, and lets the run go on.
 */

const [memoryFile = "", stateFile = ""] = process.argv.slice(2);
const memory = openMemory(memoryFile);
const { clerk } = frontDesk(memory, offlineModels);
const state = await RunState.fromString<Desk, typeof clerk>(clerk, readFileSync(stateFile, "utf8"));
for (const waiting of state.getInterruptions()) state.approve(waiting);
const result = await runWithMemory(memory, clerk, state, { runner: new Runner({ tracingDisabled: true }) });
console.log(result.finalOutput);
await memory.close();
