import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import { z } from 'zod';
import type { ApiClient } from '../clients/client.ts';
import type { OAuthModelStore } from '../store/oauth-models.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { TenantStore } from '../store/tenants.ts';
import { rateLimitOf } from '../tenants/tenant.ts';
import type { RateLimit } from '../tenants/tenant.ts';
import type { TokenSigner } from '../tokens/sign.ts';
import type { Accounts } from './accounts.ts';
import { mcpScopesAmong } from './scopes.ts';
import type { McpScope } from './scopes.ts';

export interface VerifiedToken {
  readonly principal: Omit<Principal, 'tokenType'>;
  /** A JWT for the other services, good for `TOKEN_KINDS.mcp.lifetimeS` (180 s). */
  readonly internalToken: string;
  readonly clientId: string;
  /** Epoch seconds. */
  readonly expiresAtS: number;
}

interface VerifyOptions {
  readonly models: OAuthModelStore;
  readonly accounts: Accounts;
  readonly apiClients: PrincipalStore<ApiClient>;
  readonly tenants: TenantStore;
  readonly signer: TokenSigner;
  readonly rateLimit: RateLimit;
  readonly resource: string;
  readonly clock: Clock;
}

const shared = { exp: z.number(), aud: z.string(), clientId: z.string(), scope: z.string() };
const tokenSchema = z.discriminatedUnion('kind', [
  z.object({ ...shared, kind: z.literal('AccessToken'), accountId: z.string(), grantId: z.string() }),
  z.object({
    ...shared,
    kind: z.literal('ClientCredentials'),
    extra: z.object({ generation: z.number() }),
  }),
]);
type StoredToken = z.infer<typeof tokenSchema>;

type Holder = Pick<Principal, 'tenantId' | 'principalId' | 'principalType' | 'role' | 'generation'> & {
  readonly allowed: readonly McpScope[];
};

async function holderOf(options: VerifyOptions, token: StoredToken): Promise<Holder | null> {
  if (token.kind === 'AccessToken') {
    const [grant, user] = await Promise.all([
      options.models.find('Grant', token.grantId),
      options.accounts.activeUser(token.accountId),
    ]);
    if (grant === null || user === null) return null;
    const { tenantId, userId: principalId, role, generation } = user;
    const allowed = mcpScopesAmong(token.scope.split(' '));
    return { tenantId, principalId, principalType: 'user', role, generation, allowed };
  }
  const client = await options.apiClients.get(token.clientId);
  if (client?.status !== 'active' || client.generation !== token.extra.generation) return null;
  const { tenantId, clientId: principalId, generation, scopes } = client;
  const allowed = mcpScopesAmong(scopes);
  return { tenantId, principalId, principalType: 'client', role: null, generation, allowed };
}

const unauthorized = (): PenstockError => new PenstockError('UNAUTHORIZED', 'Unauthorized');

/**
 * Checks a token that came to /mcp. Everything is read from the table, consistently: a revocation, a replayed code and a
 * disabled principal count from the next call on, on every replica. Throws `UNAUTHORIZED`, always with the same words.
 */
export async function verifyAccessToken(options: VerifyOptions, accessToken: string): Promise<VerifiedToken> {
  const found = await options.models.find('AccessToken', accessToken);
  const token = tokenSchema.safeParse(found?.payload).data;
  const nowS = Math.floor(options.clock.now() / 1000);
  if (token === undefined || token.aud !== options.resource || token.exp <= nowS) throw unauthorized();
  const holder = await holderOf(options, token);
  if (holder === null) throw unauthorized();
  const tenant = await options.tenants.get(holder.tenantId);
  if (tenant === null) throw unauthorized();
  const { allowed, ...who } = holder;
  const scopes = mcpScopesAmong(token.scope.split(' ')).filter((scope) => allowed.includes(scope));
  const principal = { ...who, scopes, rateLimit: rateLimitOf(tenant, options.rateLimit) };
  const internalToken = await options.signer.sign(principal, 'mcp');
  return { principal, internalToken, clientId: token.clientId, expiresAtS: token.exp };
}
