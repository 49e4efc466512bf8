/** What the model server answers to one request, whichever of its APIs is asked. */
export interface WireAnswer {
  /** Sent word by word where the client streams. */
  text?: string;
  /** Summary of what the model thought. The Responses API only. */
  reasoning?: string;
  /** Tools that the model calls; `arguments` is JSON. */
  calls?: readonly { id: string; name: string; arguments: string }[];
  /** Answer with this status and an error instead. */
  status?: number;
  /** After so many words of the text the stream says that the model failed. */
  failAfter?: number;
  /** After so many words of the text the connection breaks. */
  dropAfter?: number;
  /** After so many words of the text nothing more comes; only the client can end it. */
  stallAfter?: number;
}

/** A request that the server refuses, as the provider does. */
export class WireRefusal extends Error {
  readonly status: number;
  /** The member of the body that is wrong, as a path. */
  readonly param: string;

  constructor(param: string, message: string, status = 400) {
    super(message);
    this.param = param;
    this.status = status;
  }
}

/** The words of a text, spaces kept. */
export const wordsOf = (text = ""): string[] => text.match(/\s*\S+\s*/g) ?? [];

/** How a streamed text ends before its end, if it does. */
export function cutOf({ failAfter, dropAfter, stallAfter }: WireAnswer): {
  after: number;
  how: "fail" | "drop" | "stall";
} | null {
  if (failAfter !== undefined) return { after: failAfter, how: "fail" };
  if (dropAfter !== undefined) return { after: dropAfter, how: "drop" };
  return stallAfter === undefined ? null : { after: stallAfter, how: "stall" };
}
