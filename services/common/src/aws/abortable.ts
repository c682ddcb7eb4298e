/**
 * Waits for a promise no longer than the signal allows: rejects with an `AbortError` whose cause is the signal's reason.
 * What is waited for goes on, for others who wait or until it notices the signal itself.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError(signal));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
    // When the signal won, nobody may be left waiting: a later failure must not count as unhandled.
    promise.catch(() => undefined);
  }
}

export function abortError(signal: AbortSignal): Error {
  const error = new Error('The call was aborted', { cause: signal.reason });
  error.name = 'AbortError';
  return error;
}
