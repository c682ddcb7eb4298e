/** Long work of another service, for as long as that service is there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';

/** Asks whether the service is there; rejects with ConnectError, with TIMEOUT's code where it does not say. */
export type Probe = (signal: AbortSignal) => Promise<unknown>;

export interface Watch {
  readonly signal: AbortSignal;
  readonly probe: Probe;
  /** Between probes, milliseconds. */
  readonly everyMs: number;
  readonly message: string;
}

/**
 * Waits for a call that may rightly take long, and meanwhile probes whoever it was made to. What does not answer a probe
 * in time will not answer the call either: it is aborted.
 *
 * @throws PenstockError UNAVAILABLE, with the message given, where a probe had no answer; else what the call throws
 */
export async function whileAnswering<T>(
  { signal, probe, everyMs, message }: Watch,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const silent = new AbortController();
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await sleep(everyMs, undefined, { signal: over.signal, ref: false });
      // One that cannot be reached tells the call so as well.
      const told = await probe(over.signal).then(() => null, fromConnectError);
      if (told?.code === 'TIMEOUT') return silent.abort();
    }
  };
  watch().catch(() => undefined);
  try {
    return await call(AbortSignal.any([signal, silent.signal]));
  } catch (error) {
    if (!silent.signal.aborted || signal.aborted) throw error;
    throw new PenstockError('UNAVAILABLE', message, { retryAfterS: 1, cause: error });
  } finally {
    over.abort();
  }
}
