import { z } from 'zod';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const refreshTokenSchema = z.object({
  clientId: z.string(),
  /** The client's generation when the token was issued: another one means another secret. */
  generation: z.number(),
});

/** A refresh token, without the token. */
type RefreshTokenRecord = z.infer<typeof refreshTokenSchema>;

export interface RefreshTokenStore {
  create(tokenHash: string, record: RefreshTokenRecord, expiresAtS: number): Promise<void>;
  /** Null for an unknown or expired one. */
  get(tokenHash: string): Promise<RefreshTokenRecord | null>;
}

export function createRefreshTokenStore(table: AuthTable): RefreshTokenStore {
  const records = recordsIn(table, refreshTokenSchema);
  const keyOf = (tokenHash: string): ItemKey => ({ pk: `REFRESH#${tokenHash}`, sk: 'REFRESH' });
  return {
    async create(tokenHash, record, expiresAtS) {
      await records.create(keyOf(tokenHash), record, expiresAtS);
    },
    get: (tokenHash) => records.get(keyOf(tokenHash)),
  };
}
