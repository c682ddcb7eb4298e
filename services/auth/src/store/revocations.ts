import { TOKEN_KINDS } from '@penstock/common/token/claims.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { z } from 'zod';
import { CLOCK_SKEW_S } from '../limits.ts';
import { recordsIn } from './records.ts';
import type { AuthTable, ItemKey } from './table.ts';

const revocationSchema = z.object({ principalId: z.string(), minimumGeneration: z.number() });

/** Tokens of the principal with a lower generation do not count. */
type Revocation = z.infer<typeof revocationSchema>;

export interface RevocationStore {
  /** Raises the principal's minimum generation; never lowers it. */
  raise(principalId: string, minimumGeneration: number): Promise<void>;
  /** Those that an access token could still be subject to. */
  list(): Promise<Revocation[]>;
}

export function createRevocationStore(table: AuthTable, clock: Clock): RevocationStore {
  const records = recordsIn(table, revocationSchema);
  const lifetimeS = TOKEN_KINDS.rest.lifetimeS + CLOCK_SKEW_S;

  return {
    async raise(principalId, minimumGeneration) {
      const key: ItemKey = { pk: 'REVOCATIONS', sk: principalId };
      const expiresAtS = Math.ceil(clock.now() / 1000) + lifetimeS;
      const raised = await records.update(
        key,
        (current) => ({
          principalId,
          minimumGeneration: Math.max(minimumGeneration, current.minimumGeneration),
        }),
        expiresAtS,
      );
      if (raised !== null) return;
      const created = await records.create(key, { principalId, minimumGeneration }, expiresAtS);
      if (!created) await this.raise(principalId, minimumGeneration);
    },
    list: () => records.list('REVOCATIONS'),
  };
}
