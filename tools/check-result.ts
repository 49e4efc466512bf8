/** What a check found, and proof that it looked at something. */
export type CheckResult = {
  /** One line each, starting with `path:line` where there is one. Empty when all is well. */
  readonly problems: readonly string[];
  /** How many things were looked at. A check that looked at none has failed. */
  readonly looked: number;
  /** What was counted, in the plural: "files", "packages". */
  readonly unit: string;
};

export type Check = (root: string) => CheckResult | Promise<CheckResult>;
