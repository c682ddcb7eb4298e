import { NoOfferError } from '../no-offer.ts';

/** What RE2 has not, or has in its own way: groups that look around, references back, old word borders. */
const OF_THEIR_OWN = /\(\?|\\[1-9]|\[\[:[<>]|[*+?}]\+|\\[ZzGQEKRXhHvVN]/;

/** @throws NoOfferError where a regular expression may mean something else to RE2 */
export function checkPattern(pattern: string): void {
  if (OF_THEIR_OWN.test(pattern)) throw new NoOfferError('a regular expression that RE2 reads otherwise');
}
