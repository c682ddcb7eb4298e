import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { CLOSE_TIMEOUT_MS } from './limits.ts';

/**
 * Waits for BullMQ to close, CLOSE_TIMEOUT_MS at most, and not at all while Redis is away: it would wait for Redis to come
 * back, and have nothing to tell that a lock which runs out does not tell as well. Never rejects.
 */
export async function closedInTime(closed: Promise<unknown>, redis: Pick<Redis, 'status'>): Promise<void> {
  const timeoutMs = redis.status === 'ready' ? CLOSE_TIMEOUT_MS : 0;
  await Promise.race([closed, sleep(timeoutMs, undefined, { ref: false })]).catch(() => undefined);
}
