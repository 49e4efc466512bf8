import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { createElement, type FormEvent, useState } from "react";
import { createRoot } from "react-dom/client";

/** A chat as `useChat` keeps it, begun with what is stored. */
function Chat({ id, stored }: { id: string; stored: UIMessage[] }) {
  const [words, setWords] = useState("");
  const transport = new DefaultChatTransport({ api: "/api/chat" });
  const { messages, sendMessage, regenerate, stop, status } = useChat({ id, messages: stored, transport });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setWords("");
    void sendMessage({ text: words });
  };
  return createElement(
    "div",
    { "data-status": status, id: "status" },
    createElement(
      "ol",
      null,
      messages.map((message) => createElement("li", { key: message.id, "data-role": message.role }, textOf(message))),
    ),
    createElement(
      "form",
      { onSubmit: send },
      createElement("input", {
        "aria-label": "Say something",
        value: words,
        onChange: (event: { target: { value: string } }) => setWords(event.target.value),
      }),
      createElement("button", { type: "submit" }, "Send"),
    ),
    createElement("button", { type: "button", onClick: () => void regenerate() }, "Another answer"),
    createElement("button", { type: "button", onClick: () => void stop() }, "Stop"),
  );
}

const textOf = ({ parts }: UIMessage): string => parts.map((part) => (part.type === "text" ? part.text : "")).join("");

const id = new URL(location.href).searchParams.get("chat") ?? "chat";
const stored: UIMessage[] = await fetch(`/api/chat?id=${encodeURIComponent(id)}`).then((response) => response.json());
const place = document.getElementById("chat");
if (place) createRoot(place).render(createElement(Chat, { id, stored }));
