import type { ConnectRouter } from '@connectrpc/connect';
import { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';
import { TokenService } from '@penstock/common/gen/penstock/auth/v1/token_pb.js';
import type { Clock } from '@penstock/common/time/clock.ts';
import { createClientAdministration } from './clients/administer.ts';
import { clientSchema } from './clients/client.ts';
import { createEnvelope } from './keys/envelope.ts';
import { openSigningKeys } from './keys/signing-keys.ts';
import { adminService } from './rpc/admin-service.ts';
import { tokenService } from './rpc/token-service.ts';
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

/** Services that need no token, and those that need the operator's: type names. */
export const publicServices = Object.freeze([TokenService.typeName]);
export const operatorServices = Object.freeze([AdminService.typeName]);

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
  const admin = adminService({
    tenants: createTenantAdministration(tenants, clock),
    clients: createClientAdministration({ clients, tenants, revocations, clock }),
    users,
    keys,
  });
  return (router) => {
    router.service(TokenService, tokenService({ exchange, keys, revocations }));
    router.service(AdminService, admin);
  };
}
