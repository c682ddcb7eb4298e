import { z } from 'zod';
import { CLIENT_REFRESH_TOKENS_MAX } from '../limits.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const refreshTokenSchema = z.object({
  clientId: z.string(),
  /** The client's generation when the token was issued: another one means another secret. */
  generation: z.number(),
});

/** A refresh token, without the token. */
export type RefreshTokenRecord = z.infer<typeof refreshTokenSchema>;

export interface RefreshTokenStore {
  /** The client's oldest end where it has too many then. */
  create(
    tokenHash: string,
    record: RefreshTokenRecord,
    life: { readonly fromMs: number; readonly expiresAtS: number },
  ): Promise<void>;
  /** Null for an unknown or expired one. */
  get(tokenHash: string): Promise<RefreshTokenRecord | null>;
}

/** A refresh token in the list of its client's; by when it was made. */
const listedSchema = z.object({ tokenHash: z.string(), fromMs: z.number() });

/** Digits of the time in a sort key, so that keys sort by it. */
const TIME_DIGITS = 15;

export function createRefreshTokenStore(table: AuthTable): RefreshTokenStore {
  const records = recordsIn(table, refreshTokenSchema);
  const listed = recordsIn(table, listedSchema);
  const keyOf = (tokenHash: string): ItemKey => ({ pk: `REFRESH#${tokenHash}`, sk: 'REFRESH' });
  const listOf = (clientId: string): string => `CLIENT#${clientId}`;
  const listKey = (clientId: string, { tokenHash, fromMs }: z.infer<typeof listedSchema>): ItemKey => ({
    pk: listOf(clientId),
    sk: `REFRESH#${String(fromMs).padStart(TIME_DIGITS, '0')}#${tokenHash}`,
  });

  /** After each write: who lists last sees what all others wrote, so that no more stay. */
  async function endOldest(clientId: string): Promise<void> {
    const all = await listed.list(listOf(clientId), 'REFRESH#');
    for (const one of all.slice(0, Math.max(0, all.length - CLIENT_REFRESH_TOKENS_MAX))) {
      await records.take(keyOf(one.tokenHash));
      await listed.take(listKey(clientId, one));
    }
  }

  return {
    async create(tokenHash, record, { fromMs, expiresAtS }) {
      const { clientId } = record;
      const one = { tokenHash, fromMs };
      await listed.create(listKey(clientId, one), one, expiresAtS);
      await records.create(keyOf(tokenHash), record, expiresAtS);
      await endOldest(clientId);
    },
    get: (tokenHash) => records.get(keyOf(tokenHash)),
  };
}
