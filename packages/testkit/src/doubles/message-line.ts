import type { Message } from "@throughline/core";

/** A message as one short line: who, which agent, what. For tests that compare what was recorded. */
export function messageLine({ role, name, parts }: Pick<Message, "role" | "name" | "parts">): string {
  const shown = parts.map((part) => {
    switch (part.type) {
      case "text":
        return part.text;
      case "reasoning":
        return `(${part.text})`;
      case "tool-call":
        return `${part.tool}#${part.callId}`;
      case "tool-result":
        return `#${part.callId}${part.isError ? "!" : ""}=${JSON.stringify(part.output)}`;
      case "approval":
        return `${part.state}#${part.callId}`;
      default:
        return part.type;
    }
  });
  return `${role}${name === undefined ? "" : `(${name})`}: ${shown.join(" ")}`;
}
