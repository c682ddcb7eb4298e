import type { SignableRequest } from '../auth/signature.ts';

/** A whole request: what was signed, and signals that tell of the caller. */
export interface WholeRequest extends SignableRequest {
  readonly body: Buffer;
  /** Fires when the caller has gone. */
  readonly hungUp: AbortSignal;
  /** Fires when it has gone without the whole answer. */
  readonly unanswered: AbortSignal;
}
