import * as z from "zod";
import type { ObjectSchema } from "./tool-traits.ts";

/** A tool's input as MCP lists it: nothing but what the tool knows. Pure. */
export function inputSchema(input: z.ZodType): ObjectSchema {
  const { properties, required } = z.toJSONSchema(input, { io: "input" });
  return {
    type: "object",
    // Every tool's input is an object, whose members are schemas.
    properties: { ...(properties as ObjectSchema["properties"]) },
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
  };
}

/** The same where there is no conversation that anything could be remembered in. Pure. */
export function withoutConversation(schema: ObjectSchema): ObjectSchema {
  const scope = schema.properties.scope;
  if (scope === undefined || !("enum" in scope) || !Array.isArray(scope.enum)) return schema;
  const left = scope.enum.filter((name) => name !== "conversation");
  const { description: _both, ...rest } = scope as { description?: string };
  return { ...schema, properties: { ...schema.properties, scope: { ...rest, enum: left } } };
}
