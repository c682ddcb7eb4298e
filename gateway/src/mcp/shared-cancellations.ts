import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';
import type { RunningCalls } from './running-calls.ts';

const CHANNEL = 'penstock:mcp:cancelled';

/**
 * Lets other replicas cancel calls, too: the message that cancels a call may reach another replica than the call did.
 * While Redis is away, a replica can cancel its own calls only.
 *
 * @param subscriber a connection that does nothing else, and waits for Redis to come back
 */
export function shareCancellations(
  calls: RunningCalls,
  {
    publisher,
    subscriber,
    logger,
  }: { readonly publisher: Redis; readonly subscriber: Redis; readonly logger: Logger },
): RunningCalls {
  const lost = (error: unknown): void =>
    logger.warn({ err: error }, 'cancellations do not reach all replicas');
  subscriber.on('message', (_channel: string, name: string) => calls.cancel(name));
  subscriber.subscribe(CHANNEL).catch(lost);
  return Object.freeze({
    run: <T>(name: string, work: (signal: AbortSignal) => Promise<T>) => calls.run(name, work),
    cancel(name: string): boolean {
      const isHere = calls.cancel(name);
      if (!isHere) publisher.publish(CHANNEL, name).catch(lost);
      return isHere;
    },
  });
}
