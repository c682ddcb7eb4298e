/** Keys by which clients cancel their statements, from connections of their own, to whichever replica these lead. */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Logger } from '@penstock/common/logging/logger.ts';
import type { Redis } from 'ioredis';

const CHANNEL = 'penstock:postgres:cancelled';

/** Of protocol 3.0, and of 3.2. */
const KEY_BYTES = Object.freeze({ short: 4, long: 32 });
/** Process IDs that clients take for positive numbers. */
const PID_MAX = 0x7fff_ffff;

export interface CancelKey {
  readonly backendPid: number;
  readonly key: Buffer;
  /** The session is over. */
  release(): void;
}

export interface CancelKeys {
  /** A key of a session; `cancel` is called when it is presented. */
  take(isLong: boolean, cancel: () => void): CancelKey;
  /** Cancels here, else tells the other replicas. A key that nobody has is nothing: nobody is told. */
  present(backendPid: number, key: Buffer): void;
}

/** What replicas tell each other: not the key itself. */
const digestOf = (backendPid: number, key: Buffer): Buffer =>
  createHash('sha256').update(`${backendPid}:`).update(key).digest();

interface Taken {
  readonly digest: Buffer;
  readonly cancel: () => void;
}

/**
 * While Redis is away, a replica cancels its own sessions' statements only.
 *
 * @param subscriber a connection that does nothing else, and waits for Redis to come back
 */
export function createCancelKeys(shared: {
  readonly publisher: Redis;
  readonly subscriber: Redis;
  readonly logger: Logger;
}): CancelKeys {
  const { publisher, subscriber, logger } = shared;
  const taken = new Map<number, Taken>();

  const cancelHere = (backendPid: number, digest: Buffer): boolean => {
    const known = taken.get(backendPid);
    if (known === undefined || digest.length !== known.digest.length) return false;
    if (!timingSafeEqual(known.digest, digest)) return false;
    known.cancel();
    return true;
  };
  const lost = (error: unknown): void =>
    logger.warn({ err: error }, 'cancellations do not reach all replicas');
  subscriber.on('message', (channel: string, text: string) => {
    if (channel !== CHANNEL) return;
    const [pid = '', digest = ''] = text.split(' ');
    cancelHere(Number(pid), Buffer.from(digest, 'base64'));
  });
  subscriber.subscribe(CHANNEL).catch(lost);

  return {
    take(isLong, cancel) {
      let backendPid = randomInt(1, PID_MAX);
      while (taken.has(backendPid)) backendPid = randomInt(1, PID_MAX);
      const key = randomBytes(isLong ? KEY_BYTES.long : KEY_BYTES.short);
      taken.set(backendPid, { digest: digestOf(backendPid, key), cancel });
      return { backendPid, key, release: () => void taken.delete(backendPid) };
    },
    present(backendPid, key) {
      const digest = digestOf(backendPid, key);
      if (taken.has(backendPid)) {
        cancelHere(backendPid, digest);
        return;
      }
      publisher.publish(CHANNEL, `${backendPid} ${digest.toString('base64')}`).catch(lost);
    },
  };
}
