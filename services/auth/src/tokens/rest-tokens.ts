import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { TOKEN_KINDS } from '@penstock/common/token/claims.ts';
import { authenticateClient } from '../clients/authenticate.ts';
import type { ApiClient } from '../clients/client.ts';
import type { NoteUse } from '../clients/last-used.ts';
import { REFRESH_TOKEN_LIFETIME_S } from '../limits.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { RefreshTokenStore } from '../store/refresh-tokens.ts';
import type { TenantStore } from '../store/tenants.ts';
import { requireTenant } from '../tenants/administer.ts';
import { rateLimitOf } from '../tenants/tenant.ts';
import type { RateLimit } from '../tenants/tenant.ts';
import { hashSecret, newSecret } from './secret.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { TokenSigner } from './sign.ts';

interface AccessToken {
  readonly accessToken: string;
  readonly expiresInS: number;
}

interface TokenPair extends AccessToken {
  readonly refreshToken: string;
}

/** The REST tokens of API clients. */
export interface RestTokens {
  /** Throws `UNAUTHORIZED` 'Invalid client credentials'. */
  issue(clientId: string, clientSecret: string): Promise<TokenPair>;
  /** The same for a session: its refresh token is not stored. */
  issueForSession(clientId: string, clientSecret: string): Promise<TokenPair>;
  /** For a session of a client that has proved who it is. */
  issueForSessionOf(client: ApiClient): Promise<TokenPair>;
  /**
   * A new access token; the refresh token stays good until it expires. Throws `UNAUTHORIZED` 'Invalid refresh token'
   * where it is unknown or expired, its client is disabled, or its client's secret is another one by now.
   */
  refresh(refreshToken: string): Promise<AccessToken>;
}

export function createRestTokens(options: {
  clients: PrincipalStore<ApiClient>;
  tenants: TenantStore;
  refreshTokens: RefreshTokenStore;
  sessionTokens: SessionTokens;
  signer: TokenSigner;
  noteUse: NoteUse;
  /** The deployment's own limits. */
  rateLimit: RateLimit;
  clock: Clock;
}): RestTokens {
  const { clients, tenants, refreshTokens, sessionTokens, signer, noteUse, rateLimit, clock } = options;

  async function accessTokenFor(client: ApiClient): Promise<AccessToken> {
    const [tenant] = await Promise.all([requireTenant(tenants, client.tenantId), noteUse(client)]);
    const principal = {
      tenantId: client.tenantId,
      principalId: client.clientId,
      principalType: 'client',
      scopes: client.scopes,
      role: null,
      generation: client.generation,
      rateLimit: rateLimitOf(tenant, rateLimit),
    } as const;
    return { accessToken: await signer.sign(principal, 'rest'), expiresInS: TOKEN_KINDS.rest.lifetimeS };
  }

  async function issueTo(client: ApiClient): Promise<TokenPair> {
    const refreshToken = newSecret('refreshToken');
    const fromMs = clock.now();
    const life = { fromMs, expiresAtS: Math.floor(fromMs / 1000) + REFRESH_TOKEN_LIFETIME_S };
    const record = { clientId: client.clientId, generation: client.generation };
    const [access] = await Promise.all([
      accessTokenFor(client),
      refreshTokens.create(hashSecret(refreshToken), record, life),
    ]);
    return { ...access, refreshToken };
  }

  const issueForSessionOf = async (client: ApiClient): Promise<TokenPair> => ({
    ...(await accessTokenFor(client)),
    refreshToken: sessionTokens.issue(client),
  });

  return {
    issue: async (clientId, clientSecret) =>
      issueTo(await authenticateClient(clients, clientId, clientSecret)),
    issueForSession: async (clientId, clientSecret) =>
      issueForSessionOf(await authenticateClient(clients, clientId, clientSecret)),
    issueForSessionOf,
    async refresh(refreshToken) {
      const record = sessionTokens.read(refreshToken) ?? (await refreshTokens.get(hashSecret(refreshToken)));
      const client = record === null ? null : await clients.get(record.clientId);
      if (client === null || client.status !== 'active' || client.generation !== record?.generation) {
        throw new PenstockError('UNAUTHORIZED', 'Invalid refresh token');
      }
      return accessTokenFor(client);
    },
  };
}
