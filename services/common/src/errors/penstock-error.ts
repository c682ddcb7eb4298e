import type { ErrorCode } from './codes.ts';
import { DETAIL_BYTES_MAX, MESSAGE_BYTES_MAX, shortened } from './shortened.ts';

/**
 * The one error that crosses our boundaries. `message` and `detail` may be shown to the caller as they are: no ARN,
 * account, foreign tenant, secret or stack. Both are cut at their bounds, since they quote what callers wrote. The
 * cause is for the log only.
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
    super(
      shortened(message, MESSAGE_BYTES_MAX),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.detail = options.detail === undefined ? undefined : shortened(options.detail, DETAIL_BYTES_MAX);
    this.retryAfterS = options.retryAfterS;
  }
}
