/** What came of a request: a value, or a problem that can be shown. Nothing here throws. */

/**
 * - `refused`: an answer that says no, and why.
 * - `signed-out`: the session has ended.
 * - `away`: no answer from Penstock, or one that says to come back.
 * - `stopped`: whoever asked did not want it any more.
 */
export type ProblemKind = 'refused' | 'signed-out' | 'away' | 'stopped';

export interface Problem {
  readonly kind: ProblemKind;
  /** One sentence, as Penstock said it where it did. */
  readonly message: string;
  /** E.g. where in the statement, and what to do; several lines. */
  readonly detail?: string;
  /** As in REST's `error.code`. */
  readonly code?: string;
  readonly status?: number;
  /** What to name when asking for help. */
  readonly requestId?: string;
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value });

export const failed = (problem: Problem): Outcome<never> => ({ ok: false, problem });
