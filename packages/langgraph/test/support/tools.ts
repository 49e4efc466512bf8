import { interrupt } from "@langchain/langgraph";
import { tool } from "langchain";
import { z } from "zod";

/** Tools for scripts: one that answers, one that throws, one that asks a person, one that hangs until it is stopped. */
export const tools = (onHang: () => void = () => {}) => [
  tool(({ city }) => `sunny in ${city}`, {
    name: "weather",
    description: "The weather.",
    schema: z.object({ city: z.string() }),
  }),
  tool(
    () => {
      throw new Error("no such city");
    },
    { name: "broken", description: "Breaks.", schema: z.object({}) },
  ),
  tool(({ question }) => String(interrupt({ question })), {
    name: "ask",
    description: "Asks the person.",
    schema: z.object({ question: z.string() }),
  }),
  tool(
    (_input, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        onHang();
      }),
    { name: "hang", description: "Takes forever.", schema: z.object({}) },
  ),
];
