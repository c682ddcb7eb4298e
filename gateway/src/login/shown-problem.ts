import { SignInProblemCode, type SignInProblem } from '../clients/oauth-messages.ts';

/** A problem as a page shows it. */
export interface ShownProblem {
  readonly message: string;
  /** Whether what was typed is wrong: the fields are marked then. */
  readonly inFields: boolean;
}

const IN_FIELDS: ReadonlySet<SignInProblemCode> = new Set([
  SignInProblemCode.WRONG_CREDENTIALS,
  SignInProblemCode.WRONG_CODE,
]);

export function shownProblem(problem: SignInProblem | undefined): ShownProblem | null {
  if (problem === undefined) return null;
  return { message: problem.message, inFields: IN_FIELDS.has(problem.code) };
}
