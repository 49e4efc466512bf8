/** Something the person at the terminal can put right: shown as it is, without a stack. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** 2 for a wrong command line, as shells have it; 1 otherwise. */
  readonly exitCode: number;

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}
