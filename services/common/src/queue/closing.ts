import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { CLOSE_TIMEOUT_MS } from './limits.ts';

/**
 * Waits for BullMQ to close, CLOSE_TIMEOUT_MS at most, and not at all while Redis is away. BullMQ would wait for
 * Redis to come back, only to release locks that run out by themselves. Never rejects.
 */
export async function closedInTime(closed: Promise<unknown>, redis: Pick<Redis, 'status'>): Promise<void> {
  const timeoutMs = redis.status === 'ready' ? CLOSE_TIMEOUT_MS : 0;
  await Promise.race([closed, sleep(timeoutMs, undefined, { ref: false })]).catch(() => undefined);
}
