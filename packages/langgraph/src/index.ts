export { fromLangChainMessages, type ToolNames } from "./convert/from-langchain-messages.ts";
export { type ToLangChainMessagesOptions, toLangChainMessages } from "./convert/to-langchain-messages.ts";
