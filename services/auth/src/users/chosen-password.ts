import { CHOSEN_PASSWORD } from '../limits.ts';

/**
 * What is wrong with a password that a user chose, in words for that user; null: nothing. Long, and no rules on the
 * characters in it (NIST SP 800-63B, 3.1.1.2): a one-time code always stands beside it.
 */
export function refusalOf(password: string, email: string): string | null {
  const { charactersMin, charactersMax, differentMin } = CHOSEN_PASSWORD;
  const characters = [...password];
  if (characters.length === 0) return 'Choose a password.';
  if (characters.length < charactersMin) return `Choose a password of at least ${charactersMin} characters.`;
  if (characters.length > charactersMax) return `Choose a password of at most ${charactersMax} characters.`;
  if (new Set(characters).size < differentMin) {
    return 'That password repeats a few characters, which is easy to guess. Choose another one.';
  }
  const [known, given] = [email.toLowerCase(), password.toLowerCase()];
  return known.includes(given) || given.includes(known)
    ? 'That password is taken from your e-mail address, which is easy to guess. Choose another one.'
    : null;
}
