import { z } from 'zod';
import { recordsIn } from './records.ts';
import type { AuthTable } from './table.ts';

export const refreshTokenSchema = z.object({
  clientId: z.string(),
  /** The client's generation when the token was issued: another one means another secret. */
  generation: z.number(),
});

/** Of whom a refresh token is. */
export type RefreshTokenRecord = z.infer<typeof refreshTokenSchema>;

/** Refresh tokens of versions that stored theirs: they are good until they expire. */
export interface RefreshTokenStore {
  /** Null for an unknown or expired one. */
  get(tokenHash: string): Promise<RefreshTokenRecord | null>;
}

export function createRefreshTokenStore(table: AuthTable): RefreshTokenStore {
  const records = recordsIn(table, refreshTokenSchema);
  return { get: (tokenHash) => records.get({ pk: `REFRESH#${tokenHash}`, sk: 'REFRESH' }) };
}
