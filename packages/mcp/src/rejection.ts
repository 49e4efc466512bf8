/** An answer that no server of an identity gives: a status, and a JSON-RPC error as the protocol asks for. */
export const rejection = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status, headers });
