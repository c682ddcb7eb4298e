import { SignInProblemCode, type SignInProblem } from '../clients/oauth-messages.ts';

/** The status of a page that is shown again because of a problem. */
export function problemStatus({ code }: SignInProblem, during: 'sign-in' | 'enrollment'): number {
  switch (code) {
    case SignInProblemCode.WRONG_CREDENTIALS:
      return 401;
    case SignInProblemCode.TOO_MANY_TRIES:
      return 429;
    case SignInProblemCode.PASSKEY_REFUSED:
      return during === 'sign-in' ? 401 : 400;
    case SignInProblemCode.WRONG_CODE:
    case SignInProblemCode.PASSWORD_REFUSED:
    case SignInProblemCode.UNSPECIFIED:
      return 400;
  }
}
