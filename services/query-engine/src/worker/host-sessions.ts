/**
 * Role sessions as a worker has them: its host assumes the roles. Credentials are kept for a minute, so that a worker has
 * those of the queries that it runs, and what the host renewed is soon here.
 */
import { abortable } from '@penstock/common/aws/abortable.ts';
import { ROLE_SESSION_USABLE_MS } from '@penstock/common/aws/limits.ts';
import type { RoleCredentials, RoleSessions } from '@penstock/common/aws/assumed-role.ts';
import { roleAccessKey } from '@penstock/common/aws/role-access.ts';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import { systemClock, type Clock } from '@penstock/common/time/clock.ts';
import { WORKER_CREDENTIALS_FRESH_MS, WORKER_CREDENTIALS_KEPT } from '../limits.ts';
import type { CredentialsAnswer } from '../pipe/messages.ts';
import type { HostLink } from './host-link.ts';

interface Kept {
  readonly credentials: RoleCredentials;
  readonly freshUntil: number;
}

export type WorkerSessions = Pick<RoleSessions, 'credentials' | 'keyIdOf' | 'renew'>;

/** A query of the tenant that runs now: credentials are asked for in its name. */
export type QueryOfTenant = (
  tenantId: string,
) => { readonly query: number; readonly signal: AbortSignal } | null;

export function createHostSessions(
  link: Pick<HostLink, 'ask'>,
  queryOf: QueryOfTenant,
  clock: Clock = systemClock,
): WorkerSessions {
  const kept = boundedCache<Kept>(WORKER_CREDENTIALS_KEPT);
  const asking = new Map<string, Promise<RoleCredentials>>();
  const never = new AbortController().signal;

  const ask: RoleSessions['credentials'] = async (tenantId, access) => {
    const asker = queryOf(tenantId);
    if (asker === null) throw new Error('credentials are asked for without a query');
    const { answer } = await link.ask(asker.query, { what: 'credentials', access }, never);
    const { expiresAt, ...keys } = answer as CredentialsAnswer;
    const credentials = { ...keys, expiration: new Date(expiresAt) };
    const freshUntil = Math.min(
      clock.now() + WORKER_CREDENTIALS_FRESH_MS,
      expiresAt - ROLE_SESSION_USABLE_MS,
    );
    kept.set(roleAccessKey(tenantId, access), { credentials, freshUntil });
    return credentials;
  };

  return Object.freeze({
    async credentials(tenantId, access, requestId, signal) {
      const key = roleAccessKey(tenantId, access);
      const known = kept.get(key);
      if (known !== undefined && clock.now() < known.freshUntil) return known.credentials;
      const asked = asking.get(key) ?? ask(tenantId, access, requestId).finally(() => asking.delete(key));
      asking.set(key, asked);
      try {
        return await abortable(asked, signal);
      } catch (error) {
        // The host stopped the query, and its reason says why: the question goes on for the tenant's other queries.
        throw signal?.aborted === true ? signal.reason : error;
      }
    },
    keyIdOf: (tenantId, access) => kept.get(roleAccessKey(tenantId, access))?.credentials.accessKeyId ?? null,
    async renew({ tenantId, access, used, why }) {
      const asker = queryOf(tenantId);
      if (asker === null) return false;
      kept.delete(roleAccessKey(tenantId, access));
      const { answer } = await link
        .ask(asker.query, { what: 'renewal', access, used, why }, asker.signal)
        .catch(() => ({ answer: false }));
      return answer === true;
    },
  } satisfies WorkerSessions);
}
