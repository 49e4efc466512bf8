import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents/testing";

/** What the models would say; each looks at what it was really shown. */
export const offlineModels = (agent: string): ScriptedModel => {
  const shownToClerk = modelResponder(({ request }) => {
    const knows = `${request.systemInstructions} ${JSON.stringify(request.input)}`;
    const asked = JSON.stringify(request.input.at(-1));
    if (asked.includes("my name is Ada")) {
      const input = { key: "name", value: "Ada", quote: "my name is Ada" };
      return [functionCall("memory_remember", input, { callId: "c1" })];
    }
    if (asked.includes("money back")) return [functionCall("transfer_to_Cashier", {}, { callId: "c2" })];
    if (asked.includes("Who am I"))
      return [assistantMessage(knows.includes("Ada") ? "You are Ada." : "I don't know you.")];
    return [assistantMessage("Nice to meet you.")];
  });
  const shownToCashier = modelResponder(({ request }) => {
    const last = JSON.stringify(request.input.at(-1));
    if (last.includes("is paid back")) return [assistantMessage("Your money is on its way.")];
    return [functionCall("refund", { order: "A-7" }, { callId: "c3" })];
  });
  return new ScriptedModel(Array.from({ length: 8 }, () => (agent === "Clerk" ? shownToClerk : shownToCashier)));
};
