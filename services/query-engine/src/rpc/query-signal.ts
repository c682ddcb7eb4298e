import { PenstockError } from '@penstock/common/errors/penstock-error.ts';

/** A deadline, a hang-up and whoever calls `stop` as one signal, whose reason is the error to answer with. */
export function querySignal(
  caller: AbortSignal,
  timeoutMs: number,
): {
  readonly signal: AbortSignal;
  readonly stop: (error: PenstockError) => void;
  readonly done: () => void;
} {
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort(
      new PenstockError('TIMEOUT', `The query took longer than ${timeoutMs} ms and was stopped`, {
        detail: 'Narrow the query by key, ask for fewer rows, or raise timeoutMs',
      }),
    );
  }, timeoutMs);
  const hangUp = (): void => ending.abort(new PenstockError('CANCELLED', 'The query was cancelled'));
  if (caller.aborted) hangUp();
  caller.addEventListener('abort', hangUp, { once: true });
  return {
    signal: ending.signal,
    stop: (error) => ending.abort(error),
    done: () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', hangUp);
    },
  };
}

/**
 * The error to answer with. Whatever broke off because of it, the deadline or the hang-up is why; but where throttling
 * is what the deadline ended, that is what the caller can do something about; and where the query did not stop, its own
 * error says more.
 */
export function whyEnded(signal: AbortSignal, error: unknown): unknown {
  if (!signal.aborted) return error;
  const reason: unknown = signal.reason;
  const timedOut = reason instanceof PenstockError && reason.code === 'TIMEOUT';
  const saysMore = error instanceof PenstockError && ['THROTTLED', 'TIMEOUT'].includes(error.code);
  return timedOut && saysMore ? error : reason;
}
