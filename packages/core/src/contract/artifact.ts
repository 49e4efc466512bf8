import type { CallOptions } from "./memory-store.ts";

/** What an artifact is and where it comes from. */
export interface ArtifactInfo {
  id: string;
  /** `json`: shown indented, one member a line. `binary`: pages are base64. */
  kind: "text" | "json" | "binary";
  mediaType: string;
  /** Name of the file, where the tool gave one. */
  name?: string;
  /** UTF-16 code units of all pages together. */
  characters: number;
  /** At least 1. */
  pages: number;
  /** Name of the tool that answered it. */
  tool: string;
  /** The call it is the result of. */
  callId: string;
  /** Id of the turn that the call stands in. */
  turn: string;
  createdAt: string;
  updatedAt: string;
  /** From 1, one more with every patch. */
  version: number;
}

/** One page of an artifact. All pages in order are the whole, exactly. */
export interface ArtifactPage {
  id: string;
  /** From 1. */
  page: number;
  /** How many there are in all, at least 1. */
  pages: number;
  text: string;
  /** `base64` for a page of a binary artifact. */
  encoding: "text" | "base64";
  mediaType: string;
  /** Number of the line that the page begins in, from 1. */
  firstLine: number;
  /** The artifact's, as the page was read. */
  version: number;
}

/**
 * One change. `find` is an exact text that stands in the artifact once; `lines` are numbers from 1, both included.
 * Lines end with `\n`; a replacement that is not empty ends the last of them as it was ended before.
 */
export type ArtifactEdit =
  /** The text in place of the one to find. */
  | { find: string; replace: string }
  /** The text in place of the lines, the last one included. */
  | { lines: readonly [from: number, to: number]; replace: string };

/** Why a patch changed nothing. */
export type ArtifactPatchRefusal =
  /** The text to find isn't there. */
  | "text-not-found"
  /** It is there more than once. */
  | "ambiguous"
  /** There are not so many lines. */
  | "no-such-lines"
  /** Two edits change the same place. */
  | "overlapping"
  /** A binary artifact has no text to edit. */
  | "binary"
  /** The artifact has another version than the one asked for, or is changed by others all the time. */
  | "conflict";

/** What became of a patch. Its edits are applied all or none. */
export type ArtifactPatch =
  /** The new version, with its pages and its UTF-16 code units. */
  | { status: "patched"; version: number; pages: number; characters: number }
  /** The edits change nothing, or this very patch was applied before. */
  | { status: "unchanged"; version: number }
  /** Nothing changed; `version` is the one that stands. */
  | {
      status: "refused";
      refusal: ArtifactPatchRefusal;
      /** Position of the edit, from 0. */
      edit?: number;
      /** One sentence: what is wrong and what to do. Holds no text of the artifact. */
      reason: string;
      version: number;
    };

/**
 * A large tool result kept outside the prompt. A handle: reads and writes nothing by itself. Every call rejects with
 * `NOT_FOUND` where there is no such artifact in this conversation; `details.why` tells `malformed`,
 * `other-conversation` and `missing` apart.
 */
export interface Artifact {
  readonly id: string;
  /** What it is, without its text. */
  info(options?: CallOptions): Promise<ArtifactInfo>;
  /** A page by its number, from 1; no grapheme is split between pages. Rejects with `INVALID_ARGUMENT` beyond the last. */
  page(page: number, options?: CallOptions): Promise<ArtifactPage>;
  /** The whole, as bytes; text is UTF-8. */
  bytes(options?: CallOptions): Promise<Uint8Array>;
  /**
   * Changes parts of the text. The edits are found in the text as it is before the patch, and only the pages that they
   * change are written.
   */
  patch(
    edits: readonly ArtifactEdit[],
    options?: CallOptions & {
      /** Patch this version only. Without it the newest is patched. */
      ifVersion?: number;
      /** The same key again changes nothing. */
      idempotencyKey?: string;
    },
  ): Promise<ArtifactPatch>;
  /** False where there was none. */
  delete(options?: CallOptions): Promise<boolean>;
}
