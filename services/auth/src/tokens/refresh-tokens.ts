import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@penstock/common/time/clock.ts';
import { z } from 'zod';
import type { RefreshKey, SigningKeys } from '../keys/signing-keys.ts';
import { REFRESH_TOKEN_LIFETIME_S } from '../limits.ts';
import type { RefreshTokenRecord } from '../store/refresh-tokens.ts';

/**
 * Refresh tokens of API clients: they say of whom they are, authenticated by auth, so that nothing is stored for a token call,
 * however many there are. They end with the client and its secret, and with the ring of signing keys.
 */
export interface RefreshTokens {
  issue(record: RefreshTokenRecord): Promise<string>;
  /** Null where it is none of ours, or has expired. */
  read(token: string): Promise<RefreshTokenRecord | null>;
}

/** As secret scanners look for it. What follows has a dot, which stored tokens of earlier versions have not. */
const PREFIX = 'pst_rt_';
/** Key ID, client, generation, and the second of the Unix epoch in which it expires. */
const payloadSchema = z.tuple([z.string(), z.string(), z.number(), z.number()]);

const tagOf = ({ key }: RefreshKey, payload: string): Buffer =>
  createHmac('sha256', key).update(payload).digest();

function payloadOf(text: string): z.infer<typeof payloadSchema> | null {
  try {
    return payloadSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return null;
  }
}

export function createRefreshTokens(
  keys: Pick<SigningKeys, 'refreshKey' | 'refreshKeyOf'>,
  clock: Clock,
): RefreshTokens {
  const nowS = (): number => Math.floor(clock.now() / 1000);
  return {
    async issue({ clientId, generation }) {
      const key = await keys.refreshKey();
      const fields = [key.kid, clientId, generation, nowS() + REFRESH_TOKEN_LIFETIME_S];
      const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
      return `${PREFIX}${payload}.${tagOf(key, payload).toString('base64url')}`;
    },
    async read(token) {
      if (!token.startsWith(PREFIX)) return null;
      const [text = '', tag = '', ...more] = token.slice(PREFIX.length).split('.');
      const payload = payloadOf(text);
      if (payload === null || more.length > 0) return null;
      const [kid, clientId, generation, expiresAtS] = payload;
      const key = await keys.refreshKeyOf(kid);
      const given = Buffer.from(tag, 'base64url');
      if (key === null || given.length !== tagOf(key, text).length) return null;
      return timingSafeEqual(tagOf(key, text), given) && expiresAtS > nowS()
        ? { clientId, generation }
        : null;
    },
  };
}
