/** What SQL.md says, for completion and hints. */
export interface SqlReference {
  readonly functions: readonly SqlFunction[];
  /** Upper case, each once, by name: reserved words, and others that statements are made of. */
  readonly keywords: readonly string[];
}

export interface SqlFunction {
  /** Upper case. */
  readonly name: string;
  /** Other names of the same function. */
  readonly aliases: readonly string[];
  /** As SQL.md groups them: `Numbers`, `Text`, `Aggregates`, `Windows`, … */
  readonly group: string;
  /** How many: `1`, `1 to 2`, `1 or more`. */
  readonly arguments: string;
  /** One line: `Rounded to so many decimals (0 if not given), halves away from zero.` */
  readonly gives: string;
  /** `ROUND(2.567, 1) → 2.6`; of some, the call alone. */
  readonly example: string;
}
