export { bearerTokens } from "./bearer-tokens.ts";
export type { AllowedNames } from "./check-origin.ts";
export {
  createMcpHandler,
  type McpHandler,
  type McpHandlerOptions,
  type RequestIdentity,
} from "./create-mcp-handler.ts";
export { createMcpServer, type McpServerOptions, type MemoryMcpServer } from "./create-mcp-server.ts";
export type { McpIdentity } from "./identity.ts";
export type { SessionLimits } from "./mcp-sessions.ts";
export { type ServeStdioOptions, type StdioConnection, serveStdio } from "./serve-stdio.ts";
