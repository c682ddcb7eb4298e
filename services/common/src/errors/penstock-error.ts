import type { ErrorCode } from './codes.ts';

/**
 * The one error that crosses our boundaries. `message` and `detail` may be shown to the caller as they are: no ARN,
 * account, foreign tenant, secret or stack. The cause stays here, for the log.
 */
export class PenstockError extends Error {
  override readonly name = 'PenstockError';
  readonly code: ErrorCode;
  /** Extended detail: place in the SQL text, nearest names, what to do. */
  readonly detail: string | undefined;
  /** Seconds to wait before trying again, where known. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { detail?: string | undefined; retryAfterS?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = options.detail;
    this.retryAfterS = options.retryAfterS;
  }
}
