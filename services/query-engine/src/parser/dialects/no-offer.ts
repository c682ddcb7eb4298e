/**
 * A statement of another dialect cannot be written in ours with certainty. `reason` says why, for tests and for people
 * who read them; callers get the error without an offer.
 */
export class NoOfferError extends Error {
  override readonly name = 'NoOfferError';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}
