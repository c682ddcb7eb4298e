/** Why a user is not any further: a value of the response, never an exception. */
export interface SignInProblem {
  readonly kind:
    | 'wrong-credentials'
    | 'too-many-tries'
    | 'wrong-code'
    | 'passkey-refused'
    | 'password-refused';
  readonly message: string;
  readonly retryAfterS?: number;
}

const problem = (kind: SignInProblem['kind'], message: string): SignInProblem =>
  Object.freeze({ kind, message });

/** One answer for an unknown user, a wrong password, a wrong or used code, and a disabled user. */
export const wrongCredentials = problem(
  'wrong-credentials',
  'The e-mail address, password or one-time code is wrong. A code works once; wait for the next one.',
);
export const wrongCode = problem(
  'wrong-code',
  'That is not the code of this authenticator. Check the time of its device, and try the next code.',
);
export const passkeyRefused = problem('passkey-refused', 'The passkey was not accepted. Try again.');
export const passwordRefused = (message: string): SignInProblem => problem('password-refused', message);

export function tooManySignIns(retryAfterS: number): SignInProblem {
  const minutes = Math.ceil(retryAfterS / 60);
  const message = `Too many wrong tries. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return Object.freeze({ kind: 'too-many-tries', message, retryAfterS });
}
