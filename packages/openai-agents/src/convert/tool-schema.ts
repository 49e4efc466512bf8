import * as z from "zod";

/** A tool's input as JSON Schema, members of which may be left out. */
export interface ToolSchema {
  type: "object";
  properties: { [name: string]: object };
  required: string[];
  additionalProperties: true;
}

/** A tool's input as the SDK takes it. Pure. */
export function toolSchema(input: z.ZodType): ToolSchema {
  const { properties, required } = z.toJSONSchema(input, { io: "input" });
  // Every tool's input is an object, whose members are schemas.
  return {
    type: "object",
    properties: { ...(properties as ToolSchema["properties"]) },
    required: required ?? [],
    additionalProperties: true,
  };
}
