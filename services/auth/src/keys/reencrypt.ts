import { mapConcurrently } from '@penstock/common/concurrency/limit.ts';
import type { Logger } from '@penstock/common/logging/logger.ts';
import { REENCRYPT_CONCURRENCY } from '../limits.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { TenantStore } from '../store/tenants.ts';
import { totpContext } from '../users/totp.ts';
import type { User } from '../users/user.ts';
import type { Envelope } from './envelope.ts';
import type { SealingKeys } from './sealing-keys.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What was done. */
interface Reencryption {
  /** The key that everything is sealed under now. */
  readonly keyId: string;
  /** Signing keys that were sealed otherwise. */
  readonly signingKeys: number;
  /** One-time-code secrets that were sealed otherwise. */
  readonly totpSecrets: number;
  /** One-time-code secrets that no key opens; their users' IDs are in the log. */
  readonly unreadable: number;
  /** Keys that a replica has sealed under meanwhile. End that replica first, then repeat this. */
  readonly stillInUse: readonly string[];
}

/**
 * Seals again whatever in the table is not sealed under the first key. Every write is conditional on what was read,
 * so replicas may go on meanwhile. It can be stopped and repeated at any time, since the other keys are forgotten
 * only at its end. Secrets that wait for a first code or a form are left out: they are gone within minutes.
 */
export type Reencrypt = (call: { signal: AbortSignal; logger: Logger }) => Promise<Reencryption>;

type Outcome = 'current' | 'resealed' | 'unreadable';

export function createReencrypt(options: {
  sealingKeys: SealingKeys;
  keys: Pick<SigningKeys, 'reseal'>;
  users: PrincipalStore<User>;
  tenants: TenantStore;
  envelope: Envelope;
}): Reencrypt {
  const { sealingKeys, keys, users, tenants, envelope } = options;
  const { keyId } = envelope;

  /** What became of a user's secret. */
  async function reseal({ userId, sealedTotpSecret }: User, logger: Logger): Promise<Outcome> {
    if (sealedTotpSecret === null || envelope.isCurrent(sealedTotpSecret)) return 'current';
    let outcome: Outcome = 'current';
    await users.update(userId, async (user) => {
      const { sealedTotpSecret: sealed } = user;
      outcome = 'current';
      if (sealed === null || envelope.isCurrent(sealed)) return user;
      const secret = opened(sealed, userId, logger);
      outcome = secret === null ? 'unreadable' : 'resealed';
      return secret === null
        ? user
        : { ...user, sealedTotpSecret: await envelope.seal(secret, totpContext(userId)) };
    });
    return outcome;
  }

  function opened(sealed: string, userId: string, logger: Logger): string | null {
    try {
      return envelope.open(sealed, totpContext(userId));
    } catch (error) {
      logger.error(
        { err: error, userId },
        'a one-time-code secret cannot be opened: the user has to enroll again',
      );
      return null;
    }
  }

  return async ({ signal, logger }) => {
    const retired = await sealingKeys.retireOthers(keyId);
    const signingKeys = await keys.reseal();
    let [totpSecrets, unreadable] = [0, 0];
    for (const { tenantId } of await tenants.list()) {
      const all = await users.list(tenantId);
      const outcomes = await mapConcurrently(all, REENCRYPT_CONCURRENCY, async (user) => {
        signal.throwIfAborted();
        return reseal(user, logger);
      });
      totpSecrets += outcomes.filter((outcome) => outcome === 'resealed').length;
      unreadable += outcomes.filter((outcome) => outcome === 'unreadable').length;
    }
    const inUse = await sealingKeys.forget(retired);
    return { keyId, signingKeys, totpSecrets, unreadable, stillInUse: inUse.filter((id) => id !== keyId) };
  };
}
