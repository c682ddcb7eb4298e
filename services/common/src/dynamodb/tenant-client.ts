/**
 * DynamoDB clients for tenants: one for each tenant and access, all on the same bounded set of sockets.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { boundedCache } from '../caching/bounded-cache.ts';
import { observeCalls, type CallMetrics, type CallObserver } from '../aws/observe-calls.ts';
import type { RoleSessions } from '../aws/assumed-role.ts';
import { roleAccessKey, type RoleAccess } from '../aws/role-access.ts';
import { classifyDynamoError } from './errors.ts';
import {
  DYNAMO_ANSWER_MS_MAX,
  DYNAMO_CLIENTS_KEPT,
  DYNAMO_CONNECT_MS_MAX,
  DYNAMO_PAUSE_MS_MAX,
  DYNAMO_RETRIES_MAX,
  DYNAMO_SOCKETS_MAX,
} from './limits.ts';
import { leaveThrottling } from './leave-throttling.ts';
import { allowRawReads } from './raw-reads.ts';

export interface TenantClients {
  /**
   * A client that reads as the role. Throws as `RoleSessions.credentials` does, so that the caller learns before any
   * read that a role cannot be assumed. The client renews its credentials itself. Do not destroy it.
   */
  clientFor(
    tenantId: string,
    access: RoleAccess,
    requestId: string,
    signal?: AbortSignal,
  ): Promise<DynamoDBClient>;
  close(): void;
}

interface Entry {
  readonly client: DynamoDBClient;
  /** Of the latest request: names the role session if one has to be opened meanwhile. */
  requestId: string;
}

/** Clients on the role sessions given; `close` ends their connections. */
export function createTenantClients(options: {
  /** A local AWS endpoint; AWS's own where absent. */
  readonly endpoint?: string | undefined;
  /** `left` (default): throttling is the caller's to wait out. `retried`: the SDK does, a few times. */
  readonly throttling?: 'left' | 'retried';
  readonly sessions: Pick<RoleSessions, 'credentials' | 'keyIdOf' | 'renew'>;
  readonly metrics?: CallMetrics;
}): TenantClients {
  const { sessions } = options;
  const agentOptions = { keepAlive: true, maxSockets: DYNAMO_SOCKETS_MAX };
  const httpAgent = new HttpAgent(agentOptions);
  const httpsAgent = new HttpsAgent(agentOptions);
  const entries = boundedCache<Entry>(DYNAMO_CLIENTS_KEPT);

  const open = (tenantId: string, access: RoleAccess, requestId: string): Entry => {
    // `memoized` keeps the SDK from caching what the role sessions already cache (and can forget).
    const provider = Object.assign(() => sessions.credentials(tenantId, access, entry.requestId), {
      memoized: true,
    });
    const client = new DynamoDBClient({
      region: access.region,
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
      credentials: provider,
      maxAttempts: DYNAMO_RETRIES_MAX + 1,
      requestHandler: {
        httpAgent,
        httpsAgent,
        connectionTimeout: DYNAMO_CONNECT_MS_MAX,
        requestTimeout: DYNAMO_ANSWER_MS_MAX,
        socketTimeout: DYNAMO_PAUSE_MS_MAX,
        throwOnRequestTimeout: true,
      },
    });
    const observer: CallObserver = { plane: 'tenant', metrics: options.metrics };
    observeCalls(client, 'DynamoDB', observer);
    if (options.throttling !== 'retried') leaveThrottling(client);
    const around = renewRefusedSession({
      keyId: () => sessions.keyIdOf(tenantId, access),
      renew: (used, why) => sessions.renew({ tenantId, access, requestId: entry.requestId, used, why }),
    });
    client.middlewareStack.add((next) => (args) => around(() => next(args)), {
      step: 'initialize',
      name: 'renewRefusedSession',
      override: true,
    });
    allowRawReads(client, { observer, around });
    const entry: Entry = { client, requestId };
    return entry;
  };

  return Object.freeze({
    async clientFor(tenantId: string, access: RoleAccess, requestId: string, signal?: AbortSignal) {
      await sessions.credentials(tenantId, access, requestId, signal);
      const key = roleAccessKey(tenantId, access);
      let entry = entries.get(key);
      if (entry === undefined) entries.set(key, (entry = open(tenantId, access, requestId)));
      entry.requestId = requestId;
      return entry.client;
    },
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  });
}

interface RenewableSession {
  /** Of the credentials at hand. */
  readonly keyId: () => string | null;
  readonly renew: (used: string | null, why: 'expired' | 'denied') => Promise<boolean>;
}

/**
 * Repeats a call once with new credentials when DynamoDB calls the old ones expired or unknown, or denies it: a session may
 * have been revoked, which looks like any denial.
 */
function renewRefusedSession(session: RenewableSession): <T>(call: () => Promise<T>) => Promise<T> {
  return async (call) => {
    const used = session.keyId();
    try {
      return await call();
    } catch (error) {
      const { kind } = classifyDynamoError(error);
      if (kind !== 'expired-credentials' && kind !== 'access-denied') throw error;
      if (!(await session.renew(used, kind === 'access-denied' ? 'denied' : 'expired'))) throw error;
      return call();
    }
  };
}
