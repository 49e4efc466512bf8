import type { TurnRow } from "@throughline/core";
import { readText } from "../text.ts";
import { joinTurn, type TurnBody } from "../turn-rows.ts";

/** A visible turn as the functions about searches answer it. */
export type TurnList = [
  conversation: string,
  seq: number,
  counted: number,
  tokens: number,
  subject: string | null,
  body: TurnBody,
];

/** The turn as the contract knows it. */
export const turnOfList = ([conversation, seq, counted, tokens, subject, body]: TurnList): TurnRow =>
  joinTurn(readText(conversation), body, { seq, counted, tokens, subject });
