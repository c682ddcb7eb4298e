/**
 * Credentials for tenants' roles: cached per tenant and access, one AssumeRole at a time for each, renewed before they
 * end.
 */
import { STSClient, type STSClientConfig } from '@aws-sdk/client-sts';
import type { Logger } from '../logging/logger.ts';
import type { PenstockError } from '../errors/penstock-error.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import { abortable } from './abortable.ts';
import { assumeRole, type AssumeRoleCall, type RoleCredentials } from './assume-role.ts';
import { boundedCache } from '../caching/bounded-cache.ts';
import { assumeRoleError, ownRoleError } from './errors.ts';
import {
  ROLE_SESSION_DENIED_AGAIN_MS,
  ROLE_SESSION_RENEW_BEFORE_MS,
  ROLE_SESSION_RENEW_RETRY_MS,
  ROLE_SESSIONS_KEPT,
  ROLE_SESSION_USABLE_MS,
  STS_ANSWER_MS_MAX,
  STS_ATTEMPTS_MAX,
  STS_CONNECT_MS_MAX,
} from './limits.ts';
import { observeCalls } from './observe-calls.ts';
import { anyAccount, createOwnAccount } from './own-account.ts';
import { roleAccessKey, type RoleAccess } from './role-access.ts';

export type { RoleAccess } from './role-access.ts';
export type { RoleCredentials } from './assume-role.ts';

export interface RoleSessions {
  /**
   * Credentials for reading with a role, from the cache or by AssumeRole. Throws PenstockError: ACCESS_DENIED when the
   * role cannot be assumed, THROTTLED or UNAVAILABLE when STS cannot answer, CANCELLED when `signal` aborts (others who
   * wait for the same role are not disturbed).
   */
  credentials(
    tenantId: string,
    access: RoleAccess,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<RoleCredentials>;
  /** Always a new AssumeRole, not kept: to check a role as it is now. Throws as `credentials` does. */
  assumeOnce(
    tenantId: string,
    access: RoleAccess,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<RoleCredentials>;
  /**
   * Whether STS lets the role be assumed in this way. STS is asked each time, and the credentials are dropped. A
   * refusal is not logged: it is the answer hoped for. Throws as `assumeOnce` does, except ACCESS_DENIED.
   */
  isAssumable(call: AssumeRoleCall): Promise<boolean>;
  /**
   * Whether a role belongs to the service's own account. Such a role is never assumed. Throws as `credentials` does.
   */
  isOwnRole(roleArn: string, signal?: AbortSignal): Promise<boolean>;
  /** The access key ID of the credentials at hand; null where there are none. */
  keyIdOf(tenantId: string, access: RoleAccess): string | null;
  /**
   * Assumes a role again after DynamoDB refused a call with its credentials, whose key ID is `used`. `expired`:
   * DynamoDB called them so. `denied`: the session may have been revoked (IAM, "Revoking IAM role temporary security
   * credentials"). All who ask at the same time share one AssumeRole. For `denied` there is at most one a minute, and
   * if it fails the credentials at hand stay. True where the call is worth repeating. Never throws.
   */
  renew(call: {
    readonly tenantId: string;
    readonly access: RoleAccess;
    readonly requestId: string;
    readonly used: string | null;
    readonly why: 'expired' | 'denied';
  }): Promise<boolean>;
  /** Drops what is cached. */
  forget(tenantId: string, access: RoleAccess): void;
  close(): void;
}

interface RoleSessionsOptions {
  /** Null or absent: AWS's own. */
  readonly stsEndpoint?: string | undefined;
  /** Where the service itself lives; the regional STS endpoint there is asked. */
  readonly region: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
  /** Assume roles of the service's own account, too: tenants and service then share one. False where absent. */
  readonly allowsOwnAccount?: boolean;
  /** The service's own credentials; the SDK's default chain where absent. */
  readonly credentials?: STSClientConfig['credentials'];
}

interface Entry {
  credentials: RoleCredentials | null;
  /** The AssumeRole under way, shared by all who wait for it. */
  pending: Promise<RoleCredentials> | null;
  renewAt: number;
  /** When the role was last assumed again because of a denial; 0: never. */
  deniedAt: number;
}

/** Role sessions on one STS client; `close` when done. */
export function createRoleSessions(options: RoleSessionsOptions): RoleSessions {
  const { logger, clock = systemClock } = options;
  const sts = new STSClient({
    region: options.region,
    ...(options.stsEndpoint === undefined ? {} : { endpoint: options.stsEndpoint }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    maxAttempts: STS_ATTEMPTS_MAX,
    requestHandler: {
      connectionTimeout: STS_CONNECT_MS_MAX,
      requestTimeout: STS_ANSWER_MS_MAX,
      throwOnRequestTimeout: true,
    },
  });
  observeCalls(sts, 'STS', { plane: 'tenant', metrics: options.metrics });
  const own = options.allowsOwnAccount === true ? anyAccount : createOwnAccount(sts);
  const assume = async (call: AssumeRoleCall): Promise<RoleCredentials> => {
    if (await own.holds(call.access.roleArn, call.signal)) throw ownRoleError();
    return assumeRole(sts, clock, call);
  };
  const entries = boundedCache<Entry>(ROLE_SESSIONS_KEPT);

  const start = (entry: Entry, key: string, tenantId: string, access: RoleAccess, requestId: string) => {
    const pending = assume({ tenantId, access, requestId })
      .then((credentials) => {
        const lifetimeMs = credentials.expiration.getTime() - clock.now();
        entry.credentials = credentials;
        // Half the lifetime where the lifetime is short, so that a fresh session is not renewed at once.
        entry.renewAt = clock.now() + Math.max(lifetimeMs - ROLE_SESSION_RENEW_BEFORE_MS, lifetimeMs / 2);
        return credentials;
      })
      .catch((error: unknown) => {
        // A failure is not kept: the next request asks again, since the role may have been mended.
        if (entry.credentials === null && entries.get(key) === entry) entries.delete(key);
        throw logged(logger, assumeRoleError(error), tenantId, requestId);
      })
      .finally(() => (entry.pending = null));
    entry.pending = pending;
    return pending;
  };

  return Object.freeze({
    async credentials(tenantId: string, access: RoleAccess, requestId: string, signal?: AbortSignal) {
      const key = roleAccessKey(tenantId, access);
      let entry = entries.get(key);
      if (entry === undefined)
        entries.set(key, (entry = { credentials: null, pending: null, renewAt: 0, deniedAt: 0 }));
      const now = clock.now();
      if (
        entry.credentials !== null &&
        entry.credentials.expiration.getTime() - now > ROLE_SESSION_USABLE_MS
      ) {
        if (now >= entry.renewAt && entry.pending === null) {
          entry.renewAt = now + ROLE_SESSION_RENEW_RETRY_MS;
          // The failure is logged where it is made; the credentials at hand go on until they end.
          start(entry, key, tenantId, access, requestId).catch(() => undefined);
        }
        return entry.credentials;
      }
      entry.credentials = null;
      try {
        return await abortable(entry.pending ?? start(entry, key, tenantId, access, requestId), signal);
      } catch (error) {
        throw assumeRoleError(error);
      }
    },
    async assumeOnce(tenantId: string, access: RoleAccess, requestId: string, signal?: AbortSignal) {
      try {
        return await assume({ tenantId, access, requestId, signal });
      } catch (error) {
        throw logged(logger, assumeRoleError(error), tenantId, requestId);
      }
    },
    async isAssumable(call: AssumeRoleCall) {
      try {
        await assume(call);
        return true;
      } catch (cause) {
        const error = assumeRoleError(cause);
        if (error.code === 'ACCESS_DENIED') return false;
        throw logged(logger, error, call.tenantId, call.requestId);
      }
    },
    keyIdOf: (tenantId: string, access: RoleAccess) =>
      entries.get(roleAccessKey(tenantId, access))?.credentials?.accessKeyId ?? null,
    async renew({ tenantId, access, requestId, used, why }: Parameters<RoleSessions['renew']>[0]) {
      const key = roleAccessKey(tenantId, access);
      const entry = entries.get(key);
      // Without credentials at hand, the repeated call assumes the role. Other credentials mean that somebody has
      // renewed the session.
      if (entry === undefined || (entry.credentials !== null && entry.credentials.accessKeyId !== used))
        return true;
      if (entry.pending === null) {
        const now = clock.now();
        if (why === 'denied' && now - entry.deniedAt < ROLE_SESSION_DENIED_AGAIN_MS) return false;
        if (why === 'denied') entry.deniedAt = now;
        else entry.credentials = null;
        logger.info({ tenantId, requestId, why }, 'a role session was refused; assuming the role again');
      }
      return (entry.pending ?? start(entry, key, tenantId, access, requestId)).then(
        () => true,
        // The failure is in the log. After an expired session, the repeated call tells the caller as well.
        () => why === 'expired',
      );
    },
    isOwnRole: (roleArn: string, signal?: AbortSignal) => own.holds(roleArn, signal),
    forget: (tenantId: string, access: RoleAccess) => entries.delete(roleAccessKey(tenantId, access)),
    close: () => sts.destroy(),
  });
}

function logged(logger: Logger, error: PenstockError, tenantId: string, requestId: string): PenstockError {
  const name = error.cause instanceof Error ? error.cause.name : typeof error.cause;
  // Only the cause's name: STS's messages hold ARNs and account numbers.
  if (error.code !== 'CANCELLED')
    logger.warn({ tenantId, requestId, code: error.code, stsError: name }, 'AssumeRole failed');
  return error;
}
