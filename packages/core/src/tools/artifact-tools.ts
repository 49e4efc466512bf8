import * as z from "zod";
import type { ArtifactEdit } from "../contract/artifact.ts";
import type { Conversation } from "../contract/conversation.ts";
import { defineTool, idempotency, type MemoryTool, refusal, signalOf } from "./define-tool.ts";

const id = () => z.string().describe("The artifact's id, exactly as the result shows it.");

const getInput = z.lazy(() =>
  z.object({
    id: id(),
    page: z.int().min(1).describe("Which page, from 1. Default: 1.").optional(),
  }),
);

const patchInput = z.lazy(() =>
  z.object({
    id: id(),
    edits: z
      .array(
        z.object({
          find: z
            .string()
            .describe("A text that stands in the artifact exactly once, copied exactly. Give this or lines.")
            .optional(),
          lines: z
            .object({ from: z.int().min(1), to: z.int().min(1) })
            .describe("Lines to replace, both included, counted from 1. Give the version that you read too.")
            .optional(),
          replace: z.string().describe("What to put there. Empty: take it out."),
        }),
      )
      .min(1)
      .max(100),
    version: z.int().min(1).describe("The version that you read; refused where it changed since.").optional(),
  }),
);

function toEdit({ find, lines, replace }: z.output<typeof patchInput>["edits"][number]): ArtifactEdit | null {
  if (find !== undefined && lines === undefined) return { find, replace };
  if (find === undefined && lines !== undefined) return { lines: [lines.from, lines.to], replace };
  return null;
}

/** The tools that reach large results kept outside the prompt. */
export function artifactTools(conversation: Conversation): MemoryTool[] {
  return [
    defineTool(
      "get_artifact",
      "Read a large tool result that was kept as an artifact, page by page.",
      getInput,
      async ({ id: wanted, page }, call) => {
        const found = await conversation.artifact(wanted).page(page ?? 1, signalOf(call));
        const about = [
          found.mediaType,
          ...(found.encoding === "base64" ? ["base64"] : [`begins in line ${found.firstLine}`]),
          `version ${found.version}`,
        ];
        const text = `Page ${found.page} of ${found.pages} (${about.join(", ")}):\n${found.text}`;
        return { text, data: { ...found } };
      },
    ),
    defineTool(
      "patch_artifact",
      "Change parts of a large tool result that was kept as an artifact, without writing it anew. All edits are applied, or none.",
      patchInput,
      async ({ id: wanted, edits, version }, call) => {
        const given = edits.map(toEdit);
        if (given.includes(null)) {
          const which = given.indexOf(null) + 1;
          return refusal(`Not done: edit ${which} needs either find or lines.`, "INVALID_ARGUMENT");
        }
        const outcome = await conversation.artifact(wanted).patch(
          given.filter((edit) => edit !== null),
          {
            ...(version === undefined ? {} : { ifVersion: version }),
            ...idempotency(conversation, call, { wanted, edits, version }),
            ...signalOf(call),
          },
        );
        switch (outcome.status) {
          case "patched":
            return {
              text: `Changed. The artifact is at version ${outcome.version} now, ${outcome.characters} characters on ${outcome.pages} page(s).`,
              data: { ...outcome },
            };
          case "unchanged":
            return {
              text: `Nothing to change: the artifact holds this already (version ${outcome.version}).`,
              data: { ...outcome },
            };
          default:
            return refusal(
              `Not done: ${outcome.reason}`,
              outcome.refusal === "conflict" ? "VERSION_CONFLICT" : "INVALID_ARGUMENT",
              { ...outcome },
            );
        }
      },
    ),
  ];
}
