import type { SignableRequest } from '../auth/signature.ts';

/** A whole request: what was signed, and a signal that fires when the caller has gone. */
export interface WholeRequest extends SignableRequest {
  readonly body: Buffer;
  readonly hungUp: AbortSignal;
}
