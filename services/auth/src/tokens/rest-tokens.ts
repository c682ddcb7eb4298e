import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { TOKEN_KINDS } from '@penstock/common/token/claims.ts';
import { authenticateClient } from '../clients/authenticate.ts';
import type { ApiClient } from '../clients/client.ts';
import type { NoteUse } from '../clients/last-used.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { RefreshTokenStore } from '../store/refresh-tokens.ts';
import type { TenantStore } from '../store/tenants.ts';
import { requireTenant } from '../tenants/administer.ts';
import { rateLimitOf } from '../tenants/tenant.ts';
import type { RateLimit } from '../tenants/tenant.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { hashSecret } from './secret.ts';
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
  /** To a client that has proved who it is. */
  issueTo(client: ApiClient): Promise<TokenPair>;
  /**
   * A new access token; the refresh token stays good until it expires. Throws `UNAUTHORIZED` 'Invalid refresh token'
   * where it is unknown or expired, its client is disabled, or its client's secret is another one by now.
   */
  refresh(refreshToken: string): Promise<AccessToken>;
}

export function createRestTokens(options: {
  clients: PrincipalStore<ApiClient>;
  tenants: TenantStore;
  refreshTokens: RefreshTokens;
  stored: RefreshTokenStore;
  signer: TokenSigner;
  noteUse: NoteUse;
  /** The deployment's own limits. */
  rateLimit: RateLimit;
}): RestTokens {
  const { clients, tenants, refreshTokens, stored, signer, noteUse, rateLimit } = options;

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

  const issueTo = async (client: ApiClient): Promise<TokenPair> => {
    const access = await accessTokenFor(client);
    return { ...access, refreshToken: await refreshTokens.issue(client) };
  };

  return {
    issue: async (clientId, clientSecret) =>
      issueTo(await authenticateClient(clients, clientId, clientSecret)),
    issueTo,
    async refresh(refreshToken) {
      const record = (await refreshTokens.read(refreshToken)) ?? (await stored.get(hashSecret(refreshToken)));
      const client = record === null ? null : await clients.get(record.clientId);
      if (client === null || client.status !== 'active' || client.generation !== record?.generation) {
        throw new PenstockError('UNAUTHORIZED', 'Invalid refresh token');
      }
      return accessTokenFor(client);
    },
  };
}
