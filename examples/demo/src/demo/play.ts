import type { Memory } from "@throughline/core";
import type { ChosenModel } from "../agent/choose-model.ts";
import { talk } from "../agent/talk.ts";
import { printingListener, printSaid } from "../show/print-talk.ts";
import { PERSON } from "./story.ts";

/** Plays what a person says in one conversation; gives the answers. */
export async function play(
  memory: Memory,
  options: { conversation: string; says: readonly string[]; model: ChosenModel["model"] },
): Promise<string[]> {
  const conversation = memory.conversation({ id: options.conversation, subject: PERSON.id });
  const listener = printingListener();
  const answers: string[] = [];
  for (const text of options.says) {
    printSaid(PERSON.name, text);
    answers.push(await talk(conversation, { model: options.model, text, listener }));
    listener.end();
  }
  return answers;
}
