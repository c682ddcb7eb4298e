import { SignInProblemCode, type SignInProblem } from '../clients/oauth-messages.ts';

/** What was typed wrong: what signs in, the first code of an authenticator, a new password, or that one once more. */
type WrongFields = 'credentials' | 'code' | 'new-password' | 'repeated-password';

/** A problem as a page shows it. */
export interface ShownProblem {
  readonly message: string;
  /** The fields that are marked; null: nothing that was typed is wrong. */
  readonly fields: WrongFields | null;
}

const FIELDS: Readonly<Partial<Record<SignInProblemCode, WrongFields>>> = Object.freeze({
  [SignInProblemCode.WRONG_CREDENTIALS]: 'credentials',
  [SignInProblemCode.WRONG_CODE]: 'code',
  [SignInProblemCode.PASSWORD_REFUSED]: 'new-password',
});

export function shownProblem({ code, message }: SignInProblem): ShownProblem {
  return { message, fields: FIELDS[code] ?? null };
}

/** After a wrong code the fields of a new password are empty, since a page never gives a password back. */
export function withPasswordToRepeat(problem: ShownProblem): ShownProblem {
  const { message, fields } = problem;
  return fields === 'code' ? { fields, message: `${message} Type the password again, too.` } : problem;
}

/** The new password was typed twice, and not alike. */
export const passwordsDiffer: ShownProblem = Object.freeze({
  message: 'The two passwords are not the same. Type them again.',
  fields: 'repeated-password',
});
