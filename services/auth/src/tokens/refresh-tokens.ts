import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@penstock/common/time/clock.ts';
import { z } from 'zod';
import { REFRESH_TOKEN_LIFETIME_S } from '../limits.ts';
import type { RefreshTokenRecord } from '../store/refresh-tokens.ts';

/**
 * Refresh tokens of API clients: they say of whom they are, under a signature of auth, so that nothing is stored for a token
 * call, however many there are. They end with the client and its secret.
 */
export interface RefreshTokens {
  issue(record: RefreshTokenRecord): string;
  /** Null where it is none of ours, or has expired. */
  read(token: string): RefreshTokenRecord | null;
}

/** As secret scanners look for it. What follows has a dot, which stored tokens of earlier versions have not. */
const PREFIX = 'pst_rt_';
const payloadSchema = z.tuple([z.string(), z.number(), z.number()]);

/** `keys`: the first signs, all verify; the same on every replica. */
export function createRefreshTokens(keys: readonly Uint8Array[], clock: Clock): RefreshTokens {
  const [signing] = keys;
  if (signing === undefined) throw new Error('refresh tokens need a key');
  const nowS = (): number => Math.floor(clock.now() / 1000);
  const signatureOf = (key: Uint8Array, payload: string): Buffer =>
    createHmac('sha256', key).update(payload).digest();

  return {
    issue({ clientId, generation }) {
      const expiresAtS = nowS() + REFRESH_TOKEN_LIFETIME_S;
      const payload = Buffer.from(JSON.stringify([clientId, generation, expiresAtS])).toString('base64url');
      return `${PREFIX}${payload}.${signatureOf(signing, payload).toString('base64url')}`;
    },
    read(token) {
      if (!token.startsWith(PREFIX)) return null;
      const [payload = '', signature = '', ...more] = token.slice(PREFIX.length).split('.');
      const given = Buffer.from(signature, 'base64url');
      const isOurs = keys.some((key) => {
        const own = signatureOf(key, payload);
        return own.length === given.length && timingSafeEqual(own, given);
      });
      if (!isOurs || more.length > 0) return null;
      const [clientId, generation, expiresAtS] = payloadSchema.parse(
        JSON.parse(Buffer.from(payload, 'base64url').toString()),
      );
      return expiresAtS <= nowS() ? null : { clientId, generation };
    },
  };
}
