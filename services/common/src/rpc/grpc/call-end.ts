/** When a call is over: its deadline, its caller's going away, the server's closing, or its answer. */
import { Code, ConnectError } from '@connectrpc/connect';

export interface CallEnd {
  /** Aborts when the call is over, with the error that ended it; also once it was answered. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline. */
  readonly timeoutMs: () => number | undefined;
  /** Ends the call, unless it is over. */
  readonly end: (reason: unknown) => void;
}

/** Why calls end, nearly all of them by these: made once, since errors that nobody sees cost their stack. */
export const ANSWERED = new ConnectError('the call was answered', Code.Canceled);
export const CALLER_GONE = new ConnectError('the caller went away', Code.Canceled);

export function createCallEnd(timeoutMs: number | undefined): CallEnd {
  const ending = new AbortController();
  const deadline = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(
          () => end(new ConnectError('the operation timed out', Code.DeadlineExceeded)),
          Math.max(0, timeoutMs),
        );
  const end = (reason: unknown): void => {
    clearTimeout(timer);
    if (!ending.signal.aborted) ending.abort(reason);
  };
  return {
    signal: ending.signal,
    timeoutMs: () => (deadline === undefined ? undefined : deadline - Date.now()),
    end,
  };
}
