/** A call that a person's words order. */
export interface OrderedCall {
  readonly tool: string;
  readonly input: { readonly [member: string]: unknown };
}

const MARK = "\nPlease call: ";

/** Words that order calls of tools from an {@link obedientModel}. */
export const orderCalls = (says: string, calls: readonly OrderedCall[]): string =>
  `${says}${MARK}${JSON.stringify(calls)}`;

/** What {@link orderCalls} ordered in these words; nothing where they order nothing. */
export function orderedCalls(text: string): OrderedCall[] {
  const at = text.lastIndexOf(MARK);
  // What stands behind the mark was written by `orderCalls`.
  return at < 0 ? [] : (JSON.parse(text.slice(at + MARK.length)) as OrderedCall[]);
}

/** What the scripted models of a driver say, however many run at once. */
export interface ObedientModel {
  /** The words of one run, told apart from those of every other. */
  words(text: string): string;
  /**
   * What a model does next that was shown `prompt`: calls, or an answer where there are none. `said` is what the person said
   * last, `isAnswered` whether results stand behind that.
   */
  next(prompt: string, said: string, isAnswered: boolean): (OrderedCall & { callId: string })[];
  /** All that models were shown in the run of these words. */
  shown(words: string): string;
}

/** A model that does what the person says, for scripted models of any framework that many runs share. */
export function obedientModel(): ObedientModel {
  const shown = new Map<string, string[]>();
  let runs = 0;
  return {
    words: (text) => `(${++runs}) ${text}`,
    next(prompt, said, isAnswered) {
      shown.set(said, [...(shown.get(said) ?? []), prompt]);
      if (isAnswered) return [];
      // The same ids in each run, as small models make them.
      return orderedCalls(said).map((call, index) => ({ ...call, callId: `call_${index}` }));
    },
    shown: (words) => shown.get(words)?.join("\n") ?? "",
  };
}
