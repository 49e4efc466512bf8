import * as z from "zod";
import type { ArtifactInfo } from "../contract/artifact.ts";
import { MemoryError } from "../errors/memory-error.ts";

/** One stored piece: a page. */
export interface Chunk {
  /** The end of its item's key. */
  key: string;
  /** Code units of its page; of its base64 where it is bytes. */
  characters: number;
  /** Line breaks in it. */
  lines: number;
  /** Kept as a JSON string: it holds half a code point, which UTF-8 has no form for. */
  escaped?: true | undefined;
}

/** What is kept of an artifact beside its pages. */
export interface ArtifactRow extends Omit<ArtifactInfo, "pages" | "name"> {
  name?: string | undefined;
  chunks: Chunk[];
  /** Idempotency key of the patch that made this version. */
  operation?: string | undefined;
  /** Tells apart two writers of one version. */
  writer: string;
}

const rowSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    kind: z.enum(["text", "json", "binary"]),
    mediaType: z.string(),
    name: z.string().optional(),
    characters: z.int().nonnegative(),
    tool: z.string(),
    callId: z.string(),
    turn: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    version: z.int().positive(),
    chunks: z.array(
      z.object({
        key: z.string(),
        characters: z.int().nonnegative(),
        lines: z.int().nonnegative(),
        escaped: z.literal(true).optional(),
      }),
    ),
    operation: z.string().optional(),
    writer: z.string(),
  }),
);

/** What is left of a version that another one took the place of: who made it, and by which patch. */
const supersededSchema = z.lazy(() =>
  z.object({
    version: z.int().positive(),
    writer: z.string(),
    operation: z.string().optional(),
  }),
);

export type SupersededRow = z.output<typeof supersededSchema>;

const INFO = "artifact/info/";
const DATA = "artifact/data/";

/** Prefix of the versions of one artifact, or of all. */
export const infoPrefix = (id?: string): string => (id === undefined ? INFO : `${INFO}${id}/`);
/** Key of one version. Versions sort as numbers do. */
export const infoKey = (id: string, version: number): string => `${INFO}${id}/${String(version).padStart(10, "0")}`;
export const dataPrefix = (id: string): string => `${DATA}${id}/`;
export const dataKey = (id: string, chunk: string): string => `${DATA}${id}/${chunk}`;
/** The artifact that an info key is of. */
export const idOfInfoKey = (key: string): string => key.slice(INFO.length, key.lastIndexOf("/"));

export const encodeJson = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const corrupt = (key: string, cause?: unknown): MemoryError =>
  new MemoryError("STORE_CORRUPT", `The stored artifact item "${key}" is not what it should be.`, { cause });

function parse<Schema extends z.ZodType>(schema: Schema, key: string, bytes: Uint8Array): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw corrupt(key, cause);
  }
}

/**
 * A version as it is stored while it is the newest; `null` for one that another took the place of. That is the newest
 * only where the artifact was deleted at the same moment.
 */
export const decodeRow = (key: string, bytes: Uint8Array): ArtifactRow | null => {
  const row = parse(z.union([rowSchema, supersededSchema]), key, bytes);
  return "chunks" in row ? row : null;
};
/** What every version says of itself, the newest or not. */
export const decodeMaker = (key: string, bytes: Uint8Array): SupersededRow => parse(supersededSchema, key, bytes);

/** The bytes of a page of text. */
export const encodeText = (text: string, escaped: boolean | undefined): Uint8Array =>
  escaped ? encodeJson(text) : new TextEncoder().encode(text);

/** A page of text from its bytes. */
export function decodeText(key: string, bytes: Uint8Array, escaped: boolean | undefined): string {
  if (escaped) return parse(z.string(), key, bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw corrupt(key, cause);
  }
}

/** The public view of a row. */
export function publicInfo(row: ArtifactRow): ArtifactInfo {
  const { chunks, operation: _operation, writer: _writer, name, ...info } = row;
  return { ...info, ...(name === undefined ? {} : { name }), pages: Math.max(1, chunks.length) };
}
