import type { ConnectRouter } from '@connectrpc/connect';
import type { Clock } from '@penstock/common/time/clock.ts';
import { createClientAdministration } from './clients/administer.ts';
import { clientSchema } from './clients/client.ts';
import { createEnvelope } from './keys/envelope.ts';
import { openSigningKeys } from './keys/signing-keys.ts';
import { authRoutes } from './rpc/routes.ts';
import { createEmailStore } from './store/emails.ts';
import { createEnrollmentStore } from './store/enrollments.ts';
import { createKeyRingStore } from './store/key-rings.ts';
import { createPrincipalStore } from './store/principals.ts';
import { createRefreshTokenStore } from './store/refresh-tokens.ts';
import { createRevocationStore } from './store/revocations.ts';
import type { AuthTable } from './store/table.ts';
import { createTenantStore } from './store/tenants.ts';
import { createTenantAdministration } from './tenants/administer.ts';
import type { RateLimit } from './tenants/tenant.ts';
import { createTokenExchange } from './tokens/exchange.ts';
import { createTokenSigner } from './tokens/sign.ts';
import { createUserAdministration } from './users/administer.ts';
import { userSchema } from './users/user.ts';

export interface AuthServiceOptions {
  readonly table: AuthTable;
  /** 32 bytes. */
  readonly keyEncryptionKey: Uint8Array;
  /** PENSTOCK_BASE_URL. */
  readonly issuer: string;
  /** PENSTOCK_MCP_URL. */
  readonly mcpUrl: string;
  /** The deployment's own limits. */
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
}

/** Puts auth together over its table. Throws where the signing keys can't be opened (see `openSigningKeys`). */
export async function createAuthService(
  options: AuthServiceOptions,
): Promise<(router: ConnectRouter) => void> {
  const { table, issuer, mcpUrl, rateLimit, clock } = options;
  const envelope = createEnvelope(options.keyEncryptionKey);
  const keys = await openSigningKeys({ store: createKeyRingStore(table), envelope, clock });
  const tenants = createTenantStore(table);
  const clients = createPrincipalStore(table, 'CLIENT', clientSchema);
  const revocations = createRevocationStore(table, clock);
  const exchange = createTokenExchange({
    clients,
    tenants,
    refreshTokens: createRefreshTokenStore(table),
    signer: createTokenSigner({ keys, issuer, clock }),
    rateLimit,
    clock,
  });
  const users = createUserAdministration({
    users: createPrincipalStore(table, 'USER', userSchema),
    emails: createEmailStore(table, clock),
    enrollments: createEnrollmentStore(table),
    tenants,
    revocations,
    envelope,
    mcpUrl,
    clock,
  });
  const admin = {
    tenants: createTenantAdministration(tenants, clock),
    clients: createClientAdministration({ clients, tenants, revocations, clock }),
    users,
    keys,
  };
  return authRoutes({ token: { exchange, keys, revocations }, admin });
}
